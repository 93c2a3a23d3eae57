import { carriedIdOf, hostOfLink, isShownImage } from './addresses.ts';

/** The images of an email that its frame loads: none, or all that may be shown. */
type FrameImages = 'off' | 'once';

/** Those that the mail carries as parts, by their Content-ID, as `data:` addresses. They are shown without being asked for. */
export type CarriedImages = ReadonlyMap<string, string>;

export interface FramePage {
  html: string;
  policy: string;
}

/** The html may show one picture many times, and each time holds it whole. */
const MOST_CARRIED = 16 * 1024 * 1024;

/**
 * Nothing runs, nothing is sent, and nothing is loaded before a person has asked for the images. A link opens in a
 * window of its own, outside of the sandbox. The frame has an origin that is nobody's.
 */
const framePolicy = (sources: readonly string[]): string =>
  [
    'sandbox allow-popups allow-popups-to-escape-sandbox',
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    ...(sources.length > 0 ? [`img-src ${sources.join(' ')}`] : []),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ');

/** Mail is written for white paper, so the frame is light in both colour schemes. */
const STYLE = `
html{color-scheme:light;background:#fff}
body{margin:0;padding:14px 16px;font:14px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;color:#1b1c21;overflow-wrap:anywhere}
img,table{max-width:100%}
img{height:auto}
pre{white-space:pre-wrap}
blockquote{margin:8px 0;padding-left:12px;border-left:2px solid #cfcfd6}
a{color:#3f51c9}
a[data-host]::after{content:'[' attr(data-host) ']';position:relative;z-index:1;display:inline-block;margin:0 3px;font:11px/1.3 system-ui,sans-serif;letter-spacing:normal;text-indent:0;text-transform:none;white-space:normal;direction:ltr;color:#5c5e68;background:#fff}
.image{padding:0 4px;font-size:12px;color:#5c5e68;border:1px dashed #cfcfd6}`;

/** Sanitised html has "<" and ">" around its tags alone, and values stand in double quotes that they do not hold. */
const LINK = /<a( [^<>]*)>/g;
const AREA = /<area( [^<>]*)>/g;
const IMAGE = /<img( [^<>]*)>/g;
const TAG = /<[^<>]*>/g;
const VALUES = { href: / href="([^"]*)"/, src: / src="([^"]*)"/, alt: / alt="([^"]*)"/ };

/** The page of a frame around sanitised html. */
export function framePage(html: string, images: FrameImages, carried: CarriedImages = new Map()): FramePage {
  let left = MOST_CARRIED;
  const carriedTag = (attributes: string): string | undefined => {
    const data = carried.get(carriedIdOf(valueOf(attributes, 'src')) ?? '');
    if (data === undefined || data.length > left) return undefined;
    left -= data.length;
    return `<img${attributes.replace(VALUES.src, () => ` src="${data}"`)}>`;
  };
  const body = html
    .replaceAll(LINK, (tag, attributes: string) => {
      const host = hostOfLink(valueOf(attributes, 'href'));
      if (host === undefined) return `<a${attributes.replace(VALUES.href, '')}>`;
      return host === null ? tag : `<a${attributes} data-host="${host}">`;
    })
    // A part of an image that leads elsewhere has no room for its host.
    .replaceAll(AREA, '')
    .replaceAll(IMAGE, (tag, attributes: string) => {
      const shown = carriedTag(attributes);
      if (shown !== undefined) return shown;
      if (images === 'once' && isShownImage(valueOf(attributes, 'src'))) return tag;
      const alt = valueOf(attributes, 'alt').trim();
      return alt === '' ? '' : `<span class="image">${alt}</span>`;
    });
  const sources = images === 'once' ? ['data:', 'https:'] : left < MOST_CARRIED ? ['data:'] : [];
  return { html: pageAround(body), policy: framePolicy(sources) };
}

const pageAround = (body: string): string =>
  `<!doctype html><html lang="und"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Email</title><style>${STYLE}</style></head><body>${body}</body></html>`;

/** The Content-IDs of the images that html shows of its own mail. */
export function carriedIdsIn(html: string): string[] {
  const ids = sourcesIn(html).map(carriedIdOf);
  return [...new Set(ids.filter((id) => id !== undefined))];
}

/** Whether a frame has images that it shows on request. */
export function hasShownImages(html: string): boolean {
  return sourcesIn(html).some(isShownImage);
}

const sourcesIn = (html: string): string[] =>
  [...html.matchAll(IMAGE)].map(([, attributes = '']) => valueOf(attributes, 'src'));

const BREAK = /<(br|p|div|tr|li|h[1-6]|blockquote)\b/g;
const CHARACTERS_OF_A_LINE = 110;
const LINES_OF_AN_IMAGE = 8;

/** About as many lines has the html. The page cannot measure a frame of another origin, so it asks for a height. */
export function heightInLines(html: string): number {
  const breaks = html.match(BREAK)?.length ?? 0;
  const images = carriedIdsIn(html).length * LINES_OF_AN_IMAGE;
  return 1 + breaks + images + Math.round(html.replaceAll(TAG, '').length / CHARACTERS_OF_A_LINE);
}

/** A value as it stands in the tag: its signs stay written as entities. */
function valueOf(attributes: string, name: keyof typeof VALUES): string {
  return VALUES[name].exec(attributes)?.[1] ?? '';
}
