import sanitizeHtml from 'sanitize-html';

const COLOUR = [/^#[0-9a-f]{3,8}$/i, /^[a-z]{1,30}$/i, /^(rgb|hsl)a?\([\d\s.,%/]{1,60}\)$/i];
// Every part ends where the next can only begin with a space, so that no value takes these long to refuse.
const LENGTH = [/^(-?[\d.]{1,12}[a-z%]{0,4}|auto)( (-?[\d.]{1,12}[a-z%]{0,4}|auto)){0,3}$/i];
const WORD = [/^[a-z-]{1,30}$/i];
const FONT = [/^[\w\s,'"-]{1,300}$/];
const BORDER = [/^[\w\s.#%-]{1,60}$/, /^[\w\s.]{0,40} rgba?\([\d\s.,%]{1,40}\)$/i];

/** Only values that cannot contain a URL, because a background image would tell its server who reads. */
const styles = {
  ...Object.fromEntries(['color', 'background-color', 'border-color'].map((name) => [name, COLOUR])),
  ...Object.fromEntries(
    [
      'text-align',
      'vertical-align',
      'font-style',
      'text-decoration',
      'text-transform',
      'white-space',
      'display',
      'direction',
      'float',
    ]
      .concat(['border-collapse', 'border-style', 'list-style-type', 'word-break'])
      .map((name) => [name, WORD]),
  ),
  ...Object.fromEntries(
    ['margin', 'padding'].flatMap((name) =>
      ['', '-top', '-right', '-bottom', '-left'].map((side) => [name + side, LENGTH]),
    ),
  ),
  ...Object.fromEntries(
    [
      'width',
      'height',
      'max-width',
      'min-width',
      'line-height',
      'font-size',
      'border-radius',
      'border-spacing',
      'letter-spacing',
    ]
      .concat(['border-width', 'text-indent', 'font-weight'])
      .map((name) => [name, [...LENGTH, ...WORD]]),
  ),
  ...Object.fromEntries(
    ['border', 'border-top', 'border-right', 'border-bottom', 'border-left'].map((name) => [name, BORDER]),
  ),
  'font-family': FONT,
};

/** Images that the mail carries itself; `remote` adds those that their server is asked for. */
export type Images = 'carried' | 'remote';

/** A data: address may hold more than a picture. */
const SHOWN: Readonly<Record<Images, RegExp>> = {
  carried: /^(cid:|data:image\/(png|jpe?g|gif|webp|bmp);base64,)/i,
  remote: /^(cid:|data:image\/(png|jpe?g|gif|webp|bmp);base64,|https:\/\/)/i,
};

const optionsFor = (images: Images): sanitizeHtml.IOptions => ({
  allowedTags: sanitizeHtml.defaults.allowedTags.concat([
    'img',
    'font',
    'center',
    'del',
    'ins',
    'strike',
    'big',
    'tt',
    'map',
    'area',
    'details',
    'summary',
  ]),
  allowedAttributes: {
    '*': ['style', 'dir', 'lang', 'title', 'align', 'valign', 'width', 'height', 'bgcolor', 'role', 'aria-*'],
    a: ['href', 'name', 'target', 'rel'],
    area: ['href', 'shape', 'coords', 'alt', 'target', 'rel'],
    img: ['src', 'alt', 'border', 'usemap'],
    map: ['name'],
    font: ['color', 'face', 'size'],
    ol: ['start', 'type', 'reversed'],
    table: ['border', 'cellpadding', 'cellspacing'],
    td: ['colspan', 'rowspan', 'nowrap'],
    th: ['colspan', 'rowspan', 'nowrap', 'scope'],
  },
  allowedStyles: { '*': styles },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: images === 'remote' ? ['cid', 'data', 'https'] : ['cid', 'data'] },
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nonTextTags: [
    'script',
    'style',
    'textarea',
    'option',
    'noscript',
    'title',
    'template',
    'svg',
    'math',
    'iframe',
    'object',
  ],
  transformTags: {
    '*': (tagName, attribs) => ({ tagName, attribs: withoutLongStyle(attribs) }),
    a: sanitizeHtml.simpleTransform('a', { target: '_blank', rel: 'noopener noreferrer' }),
    area: sanitizeHtml.simpleTransform('area', { target: '_blank', rel: 'noopener noreferrer' }),
    img: (tagName, attribs) => ({ tagName, attribs: SHOWN[images].test(attribs.src ?? '') ? attribs : {} }),
  },
  nestingLimit: 200,
});

const OPTIONS = { carried: optionsFor('carried'), remote: optionsFor('remote') };

/** The deepest html. A reply adds a few levels, so no thread of people comes near. */
const DEEPEST = 1_000;
const LONGEST_STYLE = 4_096;
const LONGEST = 8 * 1024 * 1024;
/** The tag of a removed remote image. Text and values have no bare "<", so this matches a tag alone. */
const HOLE = '<img />';

/** The html would take longer to read than its length suggests. */
export class TooMuch extends Error {}

/** The html of an email as it may be shown: no script, form, handler or anything fetched; `cid:` images stay. */
export function sanitise(html: string, images: Images = 'carried'): string {
  let depth = 0;
  const onOpenTag = () => {
    // The parser's work on a tag grows with the tags around it.
    if (++depth > DEEPEST) throw new TooMuch();
  };
  const onCloseTag = () => void depth--;
  const clean = sanitizeHtml(html, { ...OPTIONS[images], onOpenTag, onCloseTag });
  // A character that is written as a named entity makes the answer longer than the mail.
  if (clean.length > LONGEST) throw new TooMuch();
  return clean.replaceAll(HOLE, '');
}

function withoutLongStyle(attribs: sanitizeHtml.Attributes): sanitizeHtml.Attributes {
  if ((attribs.style?.length ?? 0) <= LONGEST_STYLE) return attribs;
  const { style: _style, ...others } = attribs;
  return others;
}
