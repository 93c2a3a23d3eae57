/** An option of `npm start` is wrong. The message says which values it takes. */
export class StartOptionError extends Error {}
