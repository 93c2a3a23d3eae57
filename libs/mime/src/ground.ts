import { type Color, readColor } from './colors.ts';

/** The background of a text; null when it is unknown, such as a picture. */
export type Ground = Color | null;

export const PAPER: Ground = [255, 255, 255];
/** Text that shows less of its color than this is as good as not there; a background that shows more of it covers what is below. */
export const LEAST_ALPHA = 0.1;
const COVERS = 0.9;

/** The background of a style, as written. */
interface Laid {
  color: string | undefined;
  picture: string | undefined;
}

const GROUND = /(?:^|[;\s])background(-color|-image)?\s*:\s*([^;!]+)(!\s*important)?/gi;
const PICTURE = /(?:url|gradient|image|image-set|element)\(/i;
const NO_GROUND = new Set(['none', 'initial', 'inherit', 'unset']);
/** A color may stand beside other words. */
const WORDS = /(?:(?:rgb|hsl|hwb)a?|color|(?:ok)?(?:lab|lch))\([^()]{1,100}\)|[^\s()]+/gi;
/** The value of a function is not known here. */
const UNKNOWN = /\(|currentcolor/i;

/** Of several declarations the last holds, those of the page before the element's own, and the important ones behind all. */
export function laidUnder(own: string, byRules: string, attribute: string | undefined): Laid {
  const all = [...[...byRules.matchAll(GROUND)].toReversed(), ...own.matchAll(GROUND)];
  const important = ([, , , mark]: RegExpExecArray) => mark !== undefined;
  const laid: Laid = { color: attribute, picture: undefined };
  for (const [, part = '', written = ''] of [...all.filter((one) => !important(one)), ...all.filter(important)]) {
    const value = written.trim();
    const isNone = NO_GROUND.has(value.toLowerCase());
    const isPicture = PICTURE.test(value);
    // Of a value that it does not know a browser keeps none.
    if (!isNone && !isPicture && colorOf(value) === undefined && !UNKNOWN.test(value)) continue;
    if (part !== '-color') laid.picture = isPicture ? value : undefined;
    if (part !== '-image') laid.color = isNone ? undefined : value;
  }
  return laid;
}

/** A background that does not show changes nothing. One that lets something through, or is no plain color, is unknown. */
export function groundOf({ color, picture }: Laid): { color: Ground } | undefined {
  if (picture !== undefined) return { color: null };
  if (color === undefined || NO_GROUND.has(color.trim().toLowerCase())) return undefined;
  const read = colorOf(color);
  if (read && read.alpha < LEAST_ALPHA) return undefined;
  return { color: read && read.alpha > COVERS ? read.color : null };
}

const colorOf = (value: string) => (value.match(WORDS) ?? []).flatMap((word) => readColor(word) ?? [])[0];
