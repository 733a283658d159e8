/** @module What limits are counted in: milliseconds and bytes. */
export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;
export const KiB = 1024;
export const MiB = 1024 * KiB;
