import { compile } from 'html-to-text';

// Bounds, because the page may be anybody's: past them the rest is left out, and the html has it still.
const convert = compile({
  wordwrap: false,
  limits: { maxInputLength: 262_144, maxDepth: 60, maxChildNodes: 20_000, ellipsis: ' ...' },
  selectors: [
    { selector: 'img', format: 'skip' },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, ignoreHref: false } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
});

export function htmlToText(html: string): string {
  return convert(html);
}
