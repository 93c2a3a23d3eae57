/** Further than a mail is wide: 500 pixels, in any unit, or in the short form of a number. */
const FAR_LENGTH = [
  String.raw`(?:[5-9]\d\d|\d{4,})(?:\.\d+)?(?:px|pt|q)`,
  String.raw`(?:[4-9]\d|\d{3,})(?:\.\d+)?(?:r?em|pc)`,
  String.raw`(?:1[5-9]|[2-9]\d|\d{3,})(?:\.\d+)?cm`,
  String.raw`\d{3,}(?:\.\d+)?(?:ex|ch|mm|v(?:[whib]|min|max))`,
  String.raw`(?:[6-9]|\d\d+)(?:\.\d+)?in`,
  String.raw`\d(?:\.\d+)?e\+?[2-9][a-z]`,
].join('|');
const FAR = String.raw`(?:-(?:${FAR_LENGTH})|calc\(\s*(?:0(?:px)?\s+-\s+|-\s*1\s*\*\s*|-)(?:${FAR_LENGTH}))`;
const FAR_BOTH = String.raw`(?:${FAR}|\d{4,}(?:\.\d+)?(?:px|pt)|\d{3,}(?:\.\d+)?r?em)`;
/** Of the width around it. One width is moved by in ordinary columns. */
const FAR_SHARE = String.raw`-(?:[2-9]\d\d|\d{4,})%`;
const NOTHING = String.raw`(?:0|0?\.0\d*)%?`;
/** A color that shows nothing. */
const CLEAR = String.raw`(?:transparent|#0000(?:0000)?|rgba?\([^(),;:]{1,20},[^(),;:]{1,20},[^(),;:]{1,20},\s*0\s*\))`;
/** Browsers know the properties with a prefix too. */
const property = (name: string, value: string) =>
  new RegExp(String.raw`(?:^|[;\s])(?:-webkit-)?${name}\s*:\s*${value}`, 'i');
/** The function may stand behind others. */
const call = (name: string, value: string) => property(name, String.raw`(?:[^\s;:][^;:]*)?\b${value}`);

/** These say so alone. */
const GONE = [
  property('text-indent', `(?:${FAR_BOTH}|${FAR_SHARE})`),
  // The letters lie on each other.
  property('letter-spacing', String.raw`-(?:(?:[1-9]\d*(?:\.\d+)?|0?\.[5-9]\d*)r?em|\d{2,}(?:\.\d+)?(?:px|pt))`),
  property(
    'clip-path',
    String.raw`inset\(\s*(?:(?:[5-9]\d|100)(?:\.\d+)?%(?:\s+[\d.]{1,8}(?:px|%)?)?\s*\)|(?:[\d.]{1,8}(?:px|%)?\s+){1,3}100%)`,
  ),
  property('clip-path', String.raw`(?:circle\(\s*0(?:px|%)?\s*[)a]|ellipse\(\s*0(?:px|%)?\s)`),
  property('clip-path', String.raw`(?:rect|xywh)\(\s*(?:0(?:px|%)?\s*){4}[)r]`),
  property('clip-path', String.raw`polygon\(\s*(?:0(?:px|%)?[\s,]*)+\)`),
  call('transform', String.raw`scale(?:3d|x|y)?\(\s*${NOTHING}\s*[,)]`),
  call('transform', String.raw`matrix\(\s*0\s*,\s*0\s*,\s*0\s*,\s*0\s*,`),
  call('transform', String.raw`rotate[xy]\(\s*-?(?:(?:90|270)deg|0?\.[27]5turn|[13]00grad)`),
  call('transform', String.raw`translate(?:3d|x|y)?\((?:[^(),;:]{1,20},)?\s*${FAR_BOTH}`),
  property('scale', String.raw`${NOTHING}(?:[\s!;]|$)`),
  property('translate', FAR_BOTH),
  // A zoom of zero changes nothing.
  property('zoom', String.raw`(?:0?\.0\d*|[1-9](?:\.\d+)?%)\s*(?:!|;|$)`),
  call('filter', String.raw`opacity\(\s*(?:${NOTHING}|\d(?:\.\d+)?%)\s*\)`),
  property('mask(?:-image)?', String.raw`linear-gradient\(\s*${CLEAR}[^(),;:]*,\s*${CLEAR}[^(),;:]*\)`),
  property('content-visibility', 'hidden'),
];
const TAKEN_OUT = property('position', '(?:absolute|fixed)');
const MOVED = property('position', '(?:absolute|fixed|relative)');
const FAR_OFF = property('(?:left|top|right|bottom|inset)', FAR);
const UP_TO_THREE = String.raw`(?:[^\s;:!]{1,20}\s+){0,3}`;
const PULLED = property('margin(?:-(?:left|top|inline|block)(?:-start)?)?', `${UP_TO_THREE}(?:${FAR}|${FAR_SHARE})`);
/** The text of a band that reaches over the edges of the page is where it would be. */
const PUSHED_BACK = property('padding(?:-(?:left|top|inline|block)(?:-start)?)?', `${UP_TO_THREE}(?:${FAR_LENGTH})`);
const INDENTED = property('text-indent', String.raw`\d{3,}(?:\.\d+)?%`);
const IN_ONE_LINE = property('white-space', '(?:nowrap|pre)(?:[\\s!;]|$)');
const CLIPPED = property('clip', String.raw`rect\(\s*(?:[01](?:px)?[\s,]+){3}[01](?:px)?\s*\)`);
/** A pixel or two are as good as none: nothing is read through such a slit. */
const NO_LENGTH = String.raw`(?:[0-2](?:\.\d+)?|\.\d+)px|(?:[01](?:\.\d+)?|\.\d+)pt|(?:0+(?:\.0*)?|\.0+)(?:[a-z]{1,4})?|0?\.0\d*r?em|[\d.]{1,8}e-\d{1,3}[a-z]{1,4}`;
const NO_SIZE = property(
  '(?:max-)?(?:height|width|block-size|inline-size)',
  String.raw`(?:calc\(\s*)?[-+]?(?:${NO_LENGTH})[\s)]*(?:!|;|$)`,
);
const CUT_OFF = property('overflow(?:-[xy])?', '(?:hidden|clip)');
/** Nobody scrolls to a text in a box without room. */
const CUT_OR_SCROLLED = property(
  '(?:overflow(?:-[xy])?|contain)',
  String.raw`(?:[\w-]{1,20}\s+){0,3}(?:hidden|clip|auto|scroll|paint|content|strict)`,
);
const HIGH = property('(?:min-)?height', String.raw`(?:[1-9]|0?\.\d|calc|min|max|clamp)`);
const STRETCHED = property('min-(?:height|width)', '');

/** Whether an element is as high as its lines, and shows nothing beyond. */
export const isCutToLines = (style: string): boolean => CUT_OFF.test(style) && !HIGH.test(style);

/** Whether a style puts an element where nobody looks, or leaves it no room: exact known ways, and none that pages use otherwise. */
export function isOutOfSight(style: string): boolean {
  if (style === '') return false;
  if (GONE.some((way) => way.test(style))) return true;
  if (MOVED.test(style) && FAR_OFF.test(style)) return true;
  if (TAKEN_OUT.test(style) && CLIPPED.test(style)) return true;
  if (PULLED.test(style) && !PUSHED_BACK.test(style)) return true;
  if (INDENTED.test(style) && IN_ONE_LINE.test(style) && CUT_OFF.test(style)) return true;
  return NO_SIZE.test(style) && CUT_OR_SCROLLED.test(style) && !STRETCHED.test(style);
}
