import fc from 'fast-check';

/** One of the things that the calls before have made, or met; which, is known only when its turn has come. */
export class Reference {
  readonly kind: Kind;
  readonly index: number;
  constructor(kind: Kind, index: number) {
    this.kind = kind;
    this.index = index;
  }
  toString() {
    return `${this.kind} ${this.index}`;
  }
}

export const KINDS = [
  'mailbox',
  'email',
  'draft',
  'label',
  'view',
  'filter',
  'aiRule',
  'forwardRule',
  'cursor',
] as const;
export type Kind = (typeof KINDS)[number];

/** The kind of id that a parameter or a property holds, according to its name. */
export function kindOf(name: string, path: string): Kind | undefined {
  if (name === 'ruleId') return path.startsWith('/ai-') ? 'aiRule' : 'forwardRule';
  const named = name.replace(/Ids?$/, '');
  if (name === 'cursor') return 'cursor';
  return name !== named && isKind(named) ? named : undefined;
}

const isKind = (name: string): name is Kind => (KINDS as readonly string[]).includes(name);

/** A few of each, and the newest above all, so that calls meet on the same thing. */
export const reference = (kind: Kind) =>
  fc.oneof(fc.constant(0), fc.nat({ max: 5 })).map((index) => new Reference(kind, index));

/** Few names, so that some are taken. */
export const ORDINARY = [
  'Invoices',
  'invoices',
  'Travel',
  'r\u00e9sum\u00e9',
  'a',
  '7',
  '\u{1f4e5} In',
  '  Spaces  ',
  'x'.repeat(30),
];

/** Values that an attacker would try. */
export const hostile = fc.oneof(
  fc.constantFrom<unknown>(
    '',
    ' ',
    '0',
    'null',
    '__proto__',
    'constructor',
    '$where',
    '\0',
    '\ud800',
    '\ufeff',
    '../..',
    '%00',
    '.*',
    '(a+)+$',
    '\r\nBcc: a@b.example',
    "' OR 1=1 --",
    '<script>',
    '\u202e',
    '\u0130',
    '\u{1f389}'.repeat(300),
    null,
    true,
    -1,
    1e308,
    [],
    {},
    { $gt: '' },
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 600 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** The same where only text can stand. */
export const hostileText = hostile.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
