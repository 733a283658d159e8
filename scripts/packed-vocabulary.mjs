// An esbuild plugin: the tokenizer's vocabulary becomes a compressed file beside the program, a quarter of its size as code, which
// only `tools cost` reads.
import { isDeepStrictEqual } from "node:util";
import { brotliCompressSync, constants } from "node:zlib";

const name = "o200k_base";
const file = `${name}.txt.br`;

/** `emit(name, content)` puts a file beside the program. */
export function packedVocabulary(emit) {
  return {
    name: "packed-vocabulary",
    setup(build) {
      const filter = new RegExp(`[\\\\/]gpt-tokenizer[\\\\/]esm[\\\\/]bpeRanks[\\\\/]${name}\\.js$`);
      build.onLoad({ filter }, async () => {
        const { default: tokens } = await import(`gpt-tokenizer/bpeRanks/${name}`);
        emit(file, compressed(written(tokens)));
        return { contents: reading };
      });
    },
  };
}

/** A token in each line, as JSON without its quotes: smaller than one JSON array. Bytes that are no text stand in the first line. */
function written(tokens) {
  const bytes = tokens.filter((token) => typeof token !== "string");
  const lines = tokens.map((token) => (typeof token === "string" ? JSON.stringify(token).slice(1, -1) : ""));
  const text = [JSON.stringify(bytes), ...lines].join("\n");
  if (!isDeepStrictEqual(read(text), tokens)) throw new Error("The vocabulary has changed its form.");
  return text;
}

/** Shipped as its own source, so it uses nothing around it. */
function read(text) {
  const end = text.indexOf("\n");
  const bytes = JSON.parse(text.slice(0, end))[Symbol.iterator]();
  const tokens = JSON.parse(`["${text.slice(end + 1).replaceAll("\n", '","')}"]`);
  return tokens.map((token) => (token === "" ? bytes.next().value : token));
}

/** One level more takes eight times as long and saves a twentieth. */
function compressed(text) {
  return brotliCompressSync(text, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
    },
  });
}

const reading = `
import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
${read}
export default read(brotliDecompressSync(readFileSync(new URL("${file}", import.meta.url))).toString());
`;
