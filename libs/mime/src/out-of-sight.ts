const FAR = String.raw`-(?:(?:[5-9]\d\d|\d{4,})(?:\.\d+)?(?:px|pt)|\d{3,}(?:\.\d+)?(?:r?em|ex|ch|v[wh]))`;
const property = (name: string, value: string) => new RegExp(String.raw`(?:^|[;\s])${name}\s*:\s*${value}`, 'i');

/** These say so alone. */
const GONE = [
  property('text-indent', String.raw`(?:${FAR}|\d{4,}(?:\.\d+)?(?:px|pt))`),
  // The letters lie on each other.
  property('letter-spacing', String.raw`-(?:(?:[1-9]\d*(?:\.\d+)?|0?\.[5-9]\d*)r?em|\d{2,}(?:\.\d+)?(?:px|pt))`),
  property('clip-path', String.raw`(?:inset\(\s*(?:[5-9]\d|100)(?:\.\d+)?%\s*\)|circle\(\s*0(?:px|%)?\s*[)a])`),
  property('transform', String.raw`(?:[^\s;:][^;:]*)?\bscale(?:3d|x|y)?\(\s*(?:0|0?\.0\d*)\s*[,)]`),
];
const TAKEN_OUT = property('position', '(?:absolute|fixed)');
const MOVED = property('position', '(?:absolute|fixed|relative)');
const FAR_OFF = property('(?:left|top|right|bottom)', FAR);
const CLIPPED = property('clip', String.raw`rect\(\s*(?:[01](?:px)?[\s,]+){3}[01](?:px)?\s*\)`);
/** A pixel or two are as good as none: nothing is read through such a slit. */
const NO_SIZE = property('(?:max-)?(?:height|width)', String.raw`(?:[0-2](?:\.\d+)?px|0)\s*(?:!|;|$)`);
const CUT_OFF = property('overflow(?:-[xy])?', '(?:hidden|clip)');
const STRETCHED = property('min-(?:height|width)', '');

/** Whether a style puts an element where nobody looks, or leaves it no room: exact known ways, and none that pages use otherwise. */
export function isOutOfSight(style: string): boolean {
  if (style === '') return false;
  if (GONE.some((way) => way.test(style))) return true;
  if (MOVED.test(style) && FAR_OFF.test(style)) return true;
  if (TAKEN_OUT.test(style) && CLIPPED.test(style)) return true;
  return NO_SIZE.test(style) && CUT_OFF.test(style) && !STRETCHED.test(style);
}
