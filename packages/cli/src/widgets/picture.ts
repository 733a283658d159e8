/** @module A picture of a widget, taken when it stands still and has been answered. */
import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Devtools } from "./devtools.ts";
import { type DrawnPage, evaluate } from "./stage.ts";

export interface Picture {
  png: Buffer;
  width: number;
  height: number;
  sha256: string;
  /** One colour from edge to edge. */
  isBlank: boolean;
  /** Two in a row were alike. */
  isStill: boolean;
}

/** Between two that are compared, and how long is waited for two that are alike: a widget may move forever. */
const betweenMs = 250;
const settleMs = 5_000;

interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What is drawn before an answer is seldom what was meant: "Loading ...". */
const askingScript = `document.querySelector('[data-testid="widget"]')?.dataset.asking === "true"`;

const rectScript = `(() => {
  const rect = document.querySelector('[data-testid="widget"] iframe')?.getBoundingClientRect();
  return rect ? { x: rect.x, y: rect.y, width: rect.width, height: rect.height } : null;
})()`;

export async function takePicture(
  devtools: Devtools,
  page: DrawnPage,
  viewport: { width: number; height: number },
  remainingMs: () => number,
): Promise<Picture> {
  const until = performance.now() + Math.min(settleMs, remainingMs());
  let before: Picture | undefined;
  for (;;) {
    const isAsking = await page.evaluate<boolean>(askingScript);
    const picture = await takeOne(devtools, page, viewport);
    const isStill = before?.sha256 === picture.sha256 && !picture.isBlank;
    if (isStill || performance.now() + betweenMs >= until) return { ...picture, isStill };
    before = isAsking ? undefined : picture;
    await wait(betweenMs);
  }
}

async function takeOne(
  devtools: Devtools,
  { session, evaluate: ask }: DrawnPage,
  viewport: { width: number; height: number },
): Promise<Picture> {
  const clip = await ask<Rect | null>(rectScript);
  if (!clip) throw new Error("The widget is not there any more.");
  const height = Math.max(viewport.height, Math.ceil(clip.y + clip.height));
  const metrics = { width: viewport.width, height, deviceScaleFactor: 1, mobile: false };
  await devtools.send("Emulation.setDeviceMetricsOverride", metrics, session);
  const { data } = await devtools.send(
    "Page.captureScreenshot",
    { format: "png", clip: { ...clip, scale: 1 } },
    session,
  );
  const png = Buffer.from(String(data), "base64");
  const sha256 = createHash("sha256").update(png).digest("hex");
  return { png, sha256, isStill: false, ...(await lookAt(devtools, String(data))) };
}

/** In the browser, which has drawn it and can read it: on an empty page of its own. */
async function lookAt(
  devtools: Devtools,
  base64: string,
): Promise<Pick<Picture, "width" | "height" | "isBlank">> {
  const { send } = devtools;
  const { targetId } = await send("Target.createTarget", { url: "about:blank" });
  try {
    const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
    return await evaluate(devtools, String(sessionId), lookScript(base64));
  } finally {
    await send("Target.closeTarget", { targetId });
  }
}

const lookScript = (base64: string) => `(async () => {
  const image = await createImageBitmap(await (await fetch("data:image/png;base64,${base64}")).blob());
  const { width, height } = image;
  const canvas = new OffscreenCanvas(width, height).getContext("2d");
  canvas.drawImage(image, 0, 0);
  const pixels = new Uint32Array(canvas.getImageData(0, 0, width, height).data.buffer);
  return { width, height, isBlank: pixels.every((pixel) => pixel === pixels[0]) };
})()`;
