let nonce = '';

/** Styles that scripts add are allowed by a nonce that is new with each page view. */
export function readStyleNonce(): void {
  const meta = document.querySelector('meta[name=style-nonce]');
  nonce = meta?.getAttribute('content') ?? '';
  // The library that keeps the page from scrolling behind a dialog reads this name.
  Object.assign(globalThis, { __webpack_nonce__: nonce });
}

export const styleNonce = (): string => nonce;
