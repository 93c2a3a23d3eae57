/** More than the clocks of two services differ by. */
export const BETWEEN_CLOCKS_MS = 5_000;
