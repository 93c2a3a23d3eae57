import { decodeHTML } from 'entities';
import type { Frame } from './animations.ts';
import { readAttributes } from './attributes.ts';
import { readCss } from './css-text.ts';
import type { Tag } from './html-tags.ts';

interface StyleRules {
  /** The declarations of the page's style blocks for a tag: for its id and classes first, then for its name. */
  of: (tag: Tag) => string;
  animations: ReadonlyMap<string, readonly Frame[]>;
}

/** Newsletters have some tens of KB of styles. Styles beyond this length are ignored. */
const LONGEST = 200_000;
const MOST_RULES = 5_000;
const MOST_NAMES = 50;
const MOST_JOINED = 10;
const LONGEST_SELECTOR = 200;
const LONGEST_VALUE = 60;
const DEEPEST = 5;

const BLOCK = /<!--|<style(?=[\s>])/gi;
/** Only these properties can hide a text. The other ones are not kept. */
const TELLING = new Set(
  (
    'display visibility font font-size opacity max-height max-width mso-hide color background background-color background-image ' +
    'position left top right bottom inset text-indent letter-spacing clip clip-path transform scale translate zoom filter ' +
    'mask mask-image content-visibility background-clip text-fill-color line-height white-space ' +
    'animation animation-name animation-fill-mode animation-play-state ' +
    'margin margin-left margin-top margin-inline margin-inline-start margin-block margin-block-start ' +
    'padding padding-left padding-top padding-inline padding-inline-start padding-block padding-block-start ' +
    'height min-height width min-width overflow overflow-x overflow-y ' +
    'block-size max-block-size inline-size max-inline-size contain'
  ).split(' '),
);
/** Only rules for screens of every size apply. Other rules are for other media. */
const EVERYWHERE =
  /^@(?:layer\b|media\b\s*(?:(?:only\s+)?(?:screen|all)|not\s+print|(?:(?:only\s+)?(?:screen|all)\s+and\s+)?\(\s*(?:min-(?:device-)?width\s*:\s*(?:0|\d{1,2}px|[12]\d\dpx|1?\dr?em)|max-(?:device-)?width\s*:\s*\d{4,}px)\s*\))\s*$)/i;
const KEYFRAMES = /^@(?:-webkit-)?keyframes\s+["']?([^\s"']+)/i;
/** A tag, a class or an id, or a tag with one of them, after any ancestors. */
const SELECTOR = /^(?:[\w.#*\s>-]*[\s>])?([a-z][\w-]*)?([.#][\w-]+)?$/i;

export function readStyleRules(html: string): StyleRules {
  const said = new Map<string, Map<string, string>>();
  const animations = new Map<string, Frame[]>();
  for (const { selectors, declarations, animation } of rulesOf(stylesOf(html))) {
    if (animation !== undefined) addFrame(animations, animation, { when: selectors, declarations });
    else addRule(said, selectors, declarations);
  }
  if (said.size === 0) return { of: () => '', animations };
  const shown = new Map([...said].map(([key, one]) => [key, [...one].map((pair) => pair.join(':')).join(';')]));
  const of = ({ name, attributes }: Tag) => {
    const found = namesIn(name, attributes).flatMap((key) => shown.get(key) ?? []);
    return found.slice(0, MOST_JOINED).join(';');
  };
  return { of, animations };
}

function addFrame(animations: Map<string, Frame[]>, name: string, frame: Frame): void {
  const frames = animations.get(name);
  if (frames) frames.push(frame);
  else animations.set(name, [frame]);
}

function addRule(said: Map<string, Map<string, string>>, selectors: string, declarations: string): void {
  for (const selector of selectors.split(',', MOST_NAMES)) {
    const key = keyOf(selector.trim().slice(0, LONGEST_SELECTOR));
    if (key === undefined) continue;
    const known = said.get(key) ?? new Map<string, string>();
    said.set(key, addTo(known, declarations));
  }
}

/** The last declaration of a property applies. */
function addTo(known: Map<string, string>, declarations: string): Map<string, string> {
  for (const declaration of declarations.split(';')) {
    const colon = declaration.indexOf(':');
    const written = declaration.slice(0, Math.max(0, colon)).trim().toLowerCase();
    const property = written.replace(/^-webkit-/, '');
    if (TELLING.has(property))
      known.set(
        property,
        declaration
          .slice(colon + 1)
          .trim()
          .slice(0, LONGEST_VALUE),
      );
  }
  return known;
}

/** The text of the style blocks. Blocks in comments are left out, because they are for single mail programs. */
function stylesOf(html: string): string {
  let css = '';
  BLOCK.lastIndex = 0;
  for (let found = BLOCK.exec(html); found && css.length < LONGEST; found = BLOCK.exec(html)) {
    const isComment = found[0] === '<!--';
    const start = isComment ? found.index + 4 : html.indexOf('>', found.index) + 1;
    const end = isComment ? html.indexOf('-->', start) : endOfStyle(html, start);
    if (end === -1 || start === 0) break;
    if (!isComment) css += html.slice(start, end);
    BLOCK.lastIndex = end;
  }
  return readCss(css.slice(0, LONGEST)).replace(/<!--|-->/g, '');
}

function endOfStyle(html: string, start: number): number {
  const closing = /<\/style/gi;
  closing.lastIndex = start;
  return closing.exec(html)?.index ?? -1;
}

interface Rule {
  selectors: string;
  declarations: string;
  /** Of a frame: the animation that it belongs to. */
  animation?: string;
}

/** Brace by brace. Of the at-rules, only animations and those that apply everywhere are read. */
function* rulesOf(css: string): Generator<Rule> {
  const pieces = css.split(/([{}])/, 4 * MOST_RULES);
  const open: string[] = [];
  for (let at = 0; at < pieces.length; at += 2) {
    const [text = '', brace = ''] = [pieces[at]?.trim(), pieces[at + 1]];
    if (brace === '{') open.push(text.slice(text.lastIndexOf(';') + 1).trim());
    else {
      const selectors = open.pop() ?? '';
      const animation = KEYFRAMES.exec(open.at(-1) ?? '')?.[1];
      const around = animation === undefined ? open : open.slice(0, -1);
      const holds = !selectors.startsWith('@') && open.length < DEEPEST && around.every((one) => EVERYWHERE.test(one));
      if (holds && selectors !== '')
        yield { selectors, declarations: text, ...(animation !== undefined && { animation }) };
    }
  }
}

/** A class or an id that is written as the attribute that it is. */
const AS_ATTRIBUTE = /\[\s*(class|id)\s*~?=\s*(?:"([\w-]+)"|'([\w-]+)'|([\w-]+))\s*\]$/i;

function keyOf(written: string): string | undefined {
  const selector = written.replace(
    AS_ATTRIBUTE,
    (_all, kind: string, ...[one, two, three]: (string | undefined)[]) =>
      (kind.toLowerCase() === 'id' ? '#' : '.') + (one ?? two ?? three),
  );
  const [, tag = '', name = ''] = SELECTOR.exec(selector) ?? [];
  // A selector with an ancestor and only a tag is ignored, because the ancestors of the element are not known.
  if (name === '') return /[\s>]/.test(selector) || tag === '' ? undefined : tag.toLowerCase();
  return name.toLowerCase();
}

function namesIn(tag: string, attributes: string): string[] {
  const given = attributes === '' ? NO_ATTRIBUTES : readAttributes(attributes);
  const named = (attribute: string, sign: string) =>
    decodeHTML(given.get(attribute) ?? '')
      .toLowerCase()
      .split(/\s+/, MOST_NAMES)
      .map((name) => sign + name);
  return [...[...named('id', '#'), ...named('class', '.')].slice(0, MOST_NAMES), tag];
}

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();
