/** @module Run in a page: scrolls through all of a list, once what is still read or drawn from before is over. Marks say where each step begins, and the end. */
async (selector) => {
  const quietMs = 1_000;
  let scrolled = document.querySelector(selector);
  while (scrolled && scrolled.scrollHeight <= scrolled.clientHeight + 100) scrolled = scrolled.parentElement;
  if (!scrolled) throw new Error("nothing scrolls");
  const frame = () => new Promise(requestAnimationFrame);
  let lastAt = performance.now();
  const observer = new PerformanceObserver((seen) => {
    for (const { duration, startTime } of seen.getEntries()) lastAt = startTime + duration;
  });
  observer.observe({ type: "longtask" });
  scrolled.scrollTop = 0;
  while (performance.now() - lastAt < quietMs) await frame();
  observer.disconnect();
  const step = scrolled.clientHeight / 3;
  const end = scrolled.scrollHeight - scrolled.clientHeight;
  for (let top = 0; top < end; top += step) {
    performance.mark("step");
    scrolled.scrollTop = top;
    await frame();
  }
  if (scrolled.scrollTop < end - step * 2) throw new Error("it did not scroll to its end");
  await new Promise((done) => requestIdleCallback(done));
  performance.mark("scrolled");
};
