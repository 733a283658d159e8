export interface OutputPiece {
  stream: "stdout" | "stderr";
  bytes: Buffer;
}

const headerBytes = 8;

/** Each piece as it comes; a frame is handed over in parts, so that its stated size costs nothing. */
export async function* readFrames(source: AsyncIterable<Buffer>): AsyncGenerator<OutputPiece> {
  let header = Buffer.alloc(0);
  let stream: OutputPiece["stream"] = "stdout";
  let left = 0;
  for await (const chunk of source) {
    let rest = chunk;
    while (rest.length > 0) {
      if (left === 0) {
        const wanted = headerBytes - header.length;
        header = Buffer.concat([header, rest.subarray(0, wanted)]);
        rest = rest.subarray(wanted);
        if (header.length < headerBytes) continue;
        stream = header[0] === 2 ? "stderr" : "stdout";
        left = header.readUInt32BE(4);
        header = Buffer.alloc(0);
        continue;
      }
      const bytes = rest.subarray(0, left);
      rest = rest.subarray(bytes.length);
      left -= bytes.length;
      yield { stream, bytes };
    }
  }
}
