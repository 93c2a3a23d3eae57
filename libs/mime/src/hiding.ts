import { decodeHTML } from 'entities';
import { hidesByAnimation, hidingAnimations, type HidingAnimations } from './animations.ts';
import { readAttributes } from './attributes.ts';
import { type Color, readColor } from './colors.ts';
import { readCss } from './css-text.ts';
import { type Ground, groundOf, laidUnder, LEAST_ALPHA } from './ground.ts';
import type { Tag } from './html-tags.ts';
import { type Lines, linesOf } from './line-height.ts';
import { isOutOfSight } from './out-of-sight.ts';
import { readStyleRules } from './style-rules.ts';
import { sizeOf, type TextSize } from './text-size.ts';

/** A reader never sees the text of these elements, with any style. */
const UNSEEN = new Set(
  (
    'head title template noscript object select option svg math audio video canvas iframe ' +
    'datalist progress meter rp'
  ).split(' '),
);
const OPACITY =
  /(?:^|[;\s])opacity\s*:\s*(?:calc\(\s*)?([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?)(%?)[\s)]*(?=!|;|$)/gi;
/** Values that browsers know: others change nothing. */
const DISPLAY =
  /(?:^|[;\s])display\s*:\s*(none|(?:inline-)?(?:block|flex|grid|table)|-webkit-(?:inline-)?(?:box|flex)|inline|contents|list-item|flow-root|initial|unset|revert|table-[a-z-]{1,20})(\s*!\s*important)?\s*(?=;|$)/gi;
const VISIBILITY = /(?:^|[;\s])visibility\s*:\s*(hidden|collapse|visible|initial)/gi;
const COLOR = /(?:^|[;\s])color\s*:\s*([^;!]+)(!\s*important)?/gi;
const FILL = /(?:^|[;\s])(?:-webkit-)?text-fill-color\s*:\s*([^;!]+)(!\s*important)?/gi;
const CLIPPED_TO_TEXT = /(?:^|[;\s])(?:-webkit-)?background-clip\s*:\s*text/i;

/** Text is unreadable when each part of its color differs less than this from its background. */
const NEAR = 12;

/** The visible style of an element, from its attributes and the style blocks of the page. */
export interface TextStyle {
  /** With all that is inside. The other properties hold until an element inside says otherwise. */
  hides: boolean;
  isVisible: boolean | undefined;
  color: Color | 'transparent' | undefined;
  /** The colors of the background, where the letters are cut out of it. Empty where none of them shows. */
  cutOut: readonly Color[] | undefined;
  /** Undefined when the element sets no background. */
  ground: { color: Ground } | undefined;
  /** Undefined when the text size is inherited. An inner element may set a size again, as in newsletters. */
  size: TextSize | undefined;
  /** Undefined when the height of the lines is inherited. */
  lines: Lines | undefined;
}

const PLAIN: TextStyle = {
  hides: false,
  isVisible: undefined,
  color: undefined,
  cutOut: undefined,
  ground: undefined,
  size: undefined,
  lines: undefined,
};
/** Pages repeat the same attributes thousands of times. Beyond this number of results, none is cached. */
const MOST_KNOWN = 2_000;

/** Reads the styles of one page: its style blocks and the attributes of its elements. */
export function createStyleReader(html: string): (tag: Tag) => TextStyle {
  const known = new Map<string, TextStyle>();
  const rules = readStyleRules(html);
  const animations = hidingAnimations(rules.animations, isUnreadable);
  return (tag) => {
    const key = `${tag.name} ${tag.attributes}`;
    const style = known.get(key) ?? readStyle(tag, rules.of(tag), animations);
    if (known.size < MOST_KNOWN) known.set(key, style);
    return style;
  };
}

/** Whether an element is hidden with all that is inside. */
export const isHidden = ({ name, attributes }: Tag, { hides }: TextStyle): boolean =>
  hides || UNSEEN.has(name) || (name === 'dialog' && !readAttributes(attributes).has('open'));

/** The color of a text that cannot be told from what is behind it; null where it can be. */
export type Unseen = Color | 'transparent' | null;

/** Of an element, with the color of the text around it where that is unseen, and what is behind it. */
export function unseenIn({ color, cutOut, ground }: TextStyle, around: Unseen, under: Ground): Unseen {
  if (color === 'transparent') return !cutOut || cutOut.every((one) => isNear(one, under)) ? color : null;
  const shown = color ?? around;
  if (shown === null || shown === 'transparent') return shown;
  return isNear(shown, ground ? ground.color : under) ? shown : null;
}

const isNear = (color: Color, on: Ground): boolean =>
  on !== null && color.every((part, n) => Math.abs(part - (on[n] ?? 0)) < NEAR);

/** Of the declarations of a frame, whatever is around its element. */
function isUnreadable(declarations: string): boolean {
  const { hides, isVisible, color, size } = readStyle(NO_TAG, declarations, NO_ANIMATIONS);
  return hides || isVisible === false || color === 'transparent' || size === 'none';
}

const NO_ANIMATIONS: HidingAnimations = new Map();
const NO_TAG = { name: '', attributes: '' };

type Named = Pick<Tag, 'name' | 'attributes'>;

function readStyle({ name, attributes }: Named, byRules: string, animations: HidingAnimations): TextStyle {
  if (attributes === '' && byRules === '') return PLAIN;
  const given = readAttributes(attributes);
  const attribute = (named: string) => {
    const written = given.get(named);
    return written === undefined ? undefined : decodeHTML(written);
  };
  const own = readCss(attribute('style') ?? '');
  const style = byRules === '' ? own : `${own};${byRules}`;
  const laid = laidUnder(own, byRules, attribute('bgcolor'));
  const isCutOut = CLIPPED_TO_TEXT.test(style);
  return {
    hides:
      given.has('hidden') ||
      given.has('popover') ||
      !isDisplayed(own, byRules) ||
      [...style.matchAll(OPACITY)].some(([, digits, unit]) => Number(digits) < (unit === '%' ? 10 : LEAST_ALPHA)) ||
      isOutOfSight(style) ||
      hidesByAnimation(style, animations),
    isVisible: visibilityOf(own) ?? visibilityOf(byRules),
    color:
      textColorOf(colorIn(FILL, own, byRules)) ??
      textColorOf(colorIn(COLOR, own, byRules) ?? attribute(name === 'body' ? 'text' : 'color')),
    cutOut: isCutOut ? colorsIn(`${laid.picture ?? ''} ${laid.color ?? ''}`) : undefined,
    ground: isCutOut ? undefined : groundOf(laid),
    // The sizes that this attribute can name are all large enough.
    size:
      sizeOf(own) ??
      sizeOf(byRules) ??
      (name === 'font' && /^\s*[-+]?\d/.test(attribute('size') ?? '') ? 'some' : undefined),
    lines: linesOf(own, style) ?? linesOf(byRules, style),
  };
}

/** Of an element's own declarations the last holds, and before those of the page unless one of these is important. */
function isDisplayed(own: string, byRules: string): boolean {
  const ownLast = [...own.matchAll(DISPLAY)].at(-1);
  const ofPage = [...byRules.matchAll(DISPLAY)].filter(([, value]) => value?.toLowerCase() === 'none');
  if (!ownLast) return ofPage.length === 0;
  const [, value = '', importance] = ownLast;
  const isOverruled = importance === undefined && ofPage.some(([, , important]) => important !== undefined);
  return value.toLowerCase() !== 'none' && !isOverruled;
}

/** The last declaration holds. */
function visibilityOf(declarations: string): boolean | undefined {
  const written = [...declarations.matchAll(VISIBILITY)].at(-1)?.[1];
  return written === undefined ? undefined : /^(?:visible|initial)$/i.test(written);
}

/** Colors that browsers know, also where they are not told here: they end those before. */
const KNOWN =
  /^(?:inherit|initial|unset|revert|revert-layer|currentcolor|(?:var|color|color-mix|light-dark|(?:ok)?(?:lab|lch)|rgba?|hsla?|hwb)\(.*\))$/i;

/** Of an element's own the last holds, of the page's that of the most exact rule, and before both those that are important. */
function colorIn(pattern: RegExp, own: string, byRules: string): string | undefined {
  const known = (declarations: string) =>
    [...declarations.matchAll(pattern)].filter(([, value = '']) => readColor(value) ?? KNOWN.test(value.trim()));
  const ofElement = known(own).toReversed();
  const ofPage = known(byRules);
  const important = ([, , mark]: RegExpExecArray) => mark !== undefined;
  return (ofElement.find(important) ?? ofPage.find(important) ?? ofElement[0] ?? ofPage[0])?.[1];
}

function textColorOf(written: string | undefined): TextStyle['color'] {
  const read = written === undefined ? undefined : readColor(written);
  return read && read.alpha < LEAST_ALPHA ? 'transparent' : read?.color;
}

const COLORS_OF_GRADIENT = /(?:rgb|hsl|hwb)a?\([^()]{1,100}\)|[#\w]+%?/gi;
/** A picture behind the letters may have any color. */
const ANY: Color = [Number.NaN, Number.NaN, Number.NaN];

function colorsIn(laid: string): readonly Color[] {
  if (/url\(|image\(|image-set\(|element\(/i.test(laid)) return [ANY];
  const read = (laid.match(COLORS_OF_GRADIENT) ?? []).flatMap((word) => readColor(word) ?? []);
  return read.filter(({ alpha }) => alpha >= LEAST_ALPHA).map(({ color }) => color);
}
