/** @module Run in a page: scrolls through all of a list and says how long its longest task took, in milliseconds. What the browser calls long lasts 50 or more; none is 0. */
async (selector) => {
  const quietMs = 1_000;
  let scrolled = document.querySelector(selector);
  while (scrolled && scrolled.scrollHeight <= scrolled.clientHeight + 100) scrolled = scrolled.parentElement;
  if (!scrolled) throw new Error("nothing scrolls");
  const frame = () => new Promise(requestAnimationFrame);
  let longest = 0;
  let lastAt = performance.now();
  const observer = new PerformanceObserver((seen) => {
    for (const { duration, startTime } of seen.getEntries()) {
      longest = Math.max(longest, duration);
      lastAt = startTime + duration;
    }
  });
  observer.observe({ type: "longtask" });
  scrolled.scrollTop = 0;
  // What is still read or drawn from before is over once nothing long happened for a while.
  while (performance.now() - lastAt < quietMs) await frame();
  longest = 0;
  const step = scrolled.clientHeight / 3;
  const end = scrolled.scrollHeight - scrolled.clientHeight;
  for (let top = 0; top < end; top += step) {
    scrolled.scrollTop = top;
    await frame();
  }
  if (scrolled.scrollTop < end - step * 2) throw new Error("it did not scroll to its end");
  await new Promise((done) => requestIdleCallback(done));
  observer.disconnect();
  return longest;
};
