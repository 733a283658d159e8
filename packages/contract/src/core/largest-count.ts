/** @module The largest whole number that a request may say, unless it is a moment or has a lower bound of its own: a column keeps no larger one. */
export const largestCount = 2 ** 31 - 1;
