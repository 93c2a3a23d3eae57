import fc from 'fast-check';

/** One field of addresses with one entry of some kind among plain ones. */
export interface AddressField {
  kind: string;
  field: string;
  /** The addresses as `name <email>`, where RFC 5322 says which they are. */
  means: string[] | null;
}

/** This domain stands only inside of quoted strings, comments and encoded words, or divided by a comment. */
export const HIDDEN = 'hidden.example';

interface Parts {
  a: string;
  b: string;
  x: string;
  y: string;
  hidden: string;
}

/** One kind of entry: how it is written with these parts, and whom it names, where an RFC says so. */
type Kind = readonly [kind: string, write: (parts: Parts) => string, means?: (parts: Parts) => string[]];

const bare = ({ a, x }: Parts) => [`<${a}@${x}>`];
const named = (name: string) => (parts: Parts) => bare(parts).map((email) => `${name} ${email}`);
const namedHidden = ({ hidden, ...parts }: Parts) => named(hidden)({ ...parts, hidden });

const names: readonly Kind[] = [
  ['an address', ({ a, x }) => `${a}@${x}`, bare],
  ['an address in brackets', ({ a, x }) => `<${a}@${x}>`, bare],
  ['a name of words', ({ a, x }) => `Ann Bee <${a}@${x}>`, named('Ann Bee')],
  ['a name with a dot', ({ a, x }) => `Ann B. Bee <${a}@${x}>`, named('Ann B. Bee')],
  ['a quoted name with a comma', ({ a, x }) => `"Bee, Ann" <${a}@${x}>`, named('Bee, Ann')],
  ['a quoted name and a word', ({ a, x }) => `"Ann" Bee <${a}@${x}>`, named('Ann Bee')],
  ['a quoted address as name', ({ a, x, hidden }) => `"${hidden}" <${a}@${x}>`, namedHidden],
  [
    'a quoted pair of brackets as name',
    ({ a, x, hidden }) => `"Boss <${hidden}>" <${a}@${x}>`,
    ({ hidden, ...parts }) => named(`Boss <${hidden}>`)({ hidden, ...parts }),
  ],
  [
    'a quoted list as name',
    ({ a, x, hidden }) => `"${hidden}, ${hidden}" <${a}@${x}>`,
    ({ hidden, ...parts }) => named(`${hidden}, ${hidden}`)({ hidden, ...parts }),
  ],
  [
    'a quoted name with escaped quotes',
    ({ a, x, hidden }) => String.raw`"A \"<${hidden}>\" B" <${a}@${x}>`,
    ({ hidden, ...parts }) => named(`A "<${hidden}>" B`)({ hidden, ...parts }),
  ],
  [
    'a quoted name with an open comment',
    ({ a, x, hidden }) => `"(${hidden}" <${a}@${x}>`,
    ({ hidden, ...parts }) => named(`(${hidden}`)({ hidden, ...parts }),
  ],
  ['an encoded name', ({ a, x }) => `=?utf-8?q?J=C3=B6rg=2C_K?= <${a}@${x}>`, named('Jörg, K')],
  ['an encoded address as name', ({ a, x, hidden }) => `${encoded(hidden)} <${a}@${x}>`, namedHidden],
  [
    'an encoded list as name',
    ({ a, x, hidden }) => `${encoded(`<${hidden}>, ${hidden}`)} <${a}@${x}>`,
    ({ hidden, ...parts }) => named(`<${hidden}>, ${hidden}`)({ hidden, ...parts }),
  ],
];

const comments: readonly Kind[] = [
  ['a comment behind', ({ a, x }) => `${a}@${x} (Ann Bee)`, named('Ann Bee')],
  ['an address in a comment behind', ({ a, x, hidden }) => `${a}@${x} (${hidden})`, namedHidden],
  ['an address in a comment before', ({ a, x, hidden }) => `(${hidden}) ${a}@${x}`, namedHidden],
  [
    'brackets in a comment behind brackets',
    ({ a, x, hidden }) => `Ann <${a}@${x}> (Boss <${hidden}>, b)`,
    named('Ann'),
  ],
  ['a comment within a name', ({ a, x, hidden }) => `Ann (${hidden}) Bee <${a}@${x}>`, named('Ann Bee')],
  ['nested comments', ({ a, x, hidden }) => `Ann (a (b) <${hidden}>) <${a}@${x}>`, named('Ann')],
  ['an escaped bracket in a comment', ({ a, x, hidden }) => `Ann (a \\) <${hidden}>) <${a}@${x}>`, named('Ann')],
  ['a quote in a comment', ({ a, x, hidden }) => `Ann (a " <${hidden}>) <${a}@${x}>`, named('Ann')],
  ['a comment before the address in brackets', ({ a, x, hidden }) => `Ann <(${hidden})${a}@${x}>`, named('Ann')],
  ['a comment behind the address in brackets', ({ a, x, hidden }) => `Ann <${a}@${x}(${hidden})>`, named('Ann')],
  ['a comment before the @', ({ a, x, hidden }) => `Ann <${a}(${hidden})@${x}>`, named('Ann')],
  ['comments around the @ without brackets', ({ a, x }) => `${a} (one) @ (two) ${x}`, named('one')],
  ['spaces around the @', ({ a, x }) => `${a} @ ${x}`, bare],
  ['spaces around the @ in brackets', ({ a, x }) => `Ann < ${a} @ ${x} >`, named('Ann')],
  ['spaces around a dot', ({ a, b, x }) => `<${a} . ${b}@${x}>`],
  ['a comment within a word of the domain', ({ hidden }) => `Ann <${hidden.replace('hid', 'hid(one)')}>`],
  ['a comment within a word of the domain without brackets', ({ hidden }) => hidden.replace('@hid', '@hid(one)')],
  ['a space before a dot', ({ a, x, y }) => `${a}@${x} .${y}`],
  ['a comment within a word of the local part', ({ a, b, x }) => `Ann <${a}(one)${b}@${x}>`],
];

const forms: readonly Kind[] = [
  ['a quoted local part', ({ a, b, x }) => `"${a} ${b}"@${x}`, ({ a, b, x }) => [`<"${a} ${b}"@${x}>`]],
  ['an address as local part', ({ x, hidden }) => `"${hidden}"@${x}`, ({ x, hidden }) => [`<"${hidden}"@${x}>`]],
  [
    'an address as local part in brackets',
    ({ x, hidden }) => `Ann <"${hidden}"@${x}>`,
    ({ x, hidden }) => [`Ann <"${hidden}"@${x}>`],
  ],
  [
    'a local part that closes a bracket',
    ({ x, hidden }) => `Ann <"<${hidden}>, a"@${x}>`,
    ({ x, hidden }) => [`Ann <"<${hidden}>, a"@${x}>`],
  ],
  ['a local part quoted without need', ({ a, x }) => `"${a}"@${x}`, bare],
  ['signs in the local part', ({ a, x }) => `${a}+b!c%d'e/f@${x}`, ({ a, x }) => [`<${a}+b!c%d'e/f@${x}>`]],
  ['a domain literal', ({ a }) => `${a}@[192.0.2.1]`, ({ a }) => [`<${a}@[192.0.2.1]>`]],
  ['a domain literal in brackets', ({ a }) => `<${a}@[IPv6:2001:db8::1]>`, ({ a }) => [`<${a}@[ipv6:2001:db8::1]>`]],
  ['letters of other scripts', ({ a, x }) => `jörg${a}@bücher.${x}`, ({ a, x }) => [`<jörg${a}@bücher.${x}>`]],
  ['a domain in capitals', ({ a, x }) => `${a}@${x.toUpperCase()}`, bare],
  ['a source route', ({ a, x, y }) => `<@${y},@r.${y}:${a}@${x}>`, bare],
];

const lists: readonly Kind[] = [
  [
    'a group',
    ({ a, b, x, y }) => `Team: ${a}@${x}, Bee <${b}@${y}>;`,
    ({ b, y, ...p }) => [...bare({ b, y, ...p }), `Bee <${b}@${y}>`],
  ],
  ['an empty group', () => 'undisclosed-recipients:;', () => []],
  ['an address as name of a group', ({ a, x, hidden }) => `"${hidden}": ${a}@${x};`, bare],
  ['a comment in the name of a group', ({ a, x, hidden }) => `Team (${hidden}): ${a}@${x};`, bare],
  ['a comment in an empty group', ({ hidden }) => `Team: (${hidden}) ;`, () => []],
  ['empty entries', ({ a, x }) => `, ,${a}@${x},`, bare],
  ['a comment as entry', ({ a, x, hidden }) => `(${hidden}), ${a}@${x}`, bare],
];

/** No RFC says whom these name. */
const broken: readonly Kind[] = [
  ['semicolons', ({ a, b, x, y }) => `${a}@${x}; ${b}@${y}`],
  ['two addresses without a comma', ({ a, b, x, y }) => `${a}@${x} ${b}@${y}`],
  ['two pairs of brackets', ({ a, b, x, y }) => `<${a}@${x}> <${b}@${y}>`],
  ['two addresses in brackets', ({ a, b, x, y }) => `<${a}@${x} ${b}@${y}>`],
  ['a name with a comma', ({ a, x }) => `Bee, Ann <${a}@${x}>`],
  ['an address as name without quotes', ({ a, b, x, y }) => `${b}@${y} <${a}@${x}>`],
  ['a word before an address', ({ a, x }) => `Ann ${a}@${x}`],
  ['a quoted address before an address', ({ a, x, hidden }) => `"${hidden}" ${a}@${x}`],
  ['a quoted address behind an address', ({ a, x, hidden }) => `${a}@${x} "${hidden}"`],
  ['a quoted address alone', ({ hidden }) => `"${hidden}"`],
  ['a quoted pair of brackets alone', ({ hidden }) => `"Boss <${hidden}>"`],
  ['a quoted address and a word', ({ hidden }) => `"${hidden}" Boss`],
  ['an address in a comment alone', ({ hidden }) => `Boss (${hidden})`],
  ['an address in a comment beside empty brackets', ({ hidden }) => `<> (${hidden})`],
  ['a quoted address as domain', ({ a, hidden }) => `${a}@"${hidden}"`],
  ['a quoted address in a domain', ({ a, x, hidden }) => `<${a}@"${hidden}"${x}>`],
  ['a quoted address in brackets', ({ hidden }) => `Ann <"${hidden}">`],
  ['a quoted string within a local part', ({ a, x, hidden }) => `${a}"${hidden}"@${x}`],
  ['an encoded address', ({ hidden }) => encoded(hidden)],
  ['an encoded address in brackets', ({ hidden }) => `Ann <${encoded(hidden)}>`],
  ['an encoded pair of brackets', ({ hidden }) => encoded(`Boss <${hidden}>`)],
  ['an encoded local part with an @', ({ x, hidden }) => `${encoded(hidden)}@${x}`],
  ['empty brackets', () => 'Ann <>'],
  ['brackets in brackets', ({ a, x }) => `Ann <<${a}@${x}>>`],
  ['a bracket that never closes', ({ a, x }) => `Ann <${a}@${x}`],
  ['a bracket that never opens', ({ a, x }) => `Ann ${a}@${x}>`],
  ['a quote that never closes', ({ a, x }) => `"Ann <${a}@${x}>`],
  ['a comment that never closes', ({ a, x }) => `Ann (B <${a}@${x}>`],
  ['a comment that never opens', ({ a, x }) => `Ann B) <${a}@${x}>`],
  ['two @', ({ a, x, y }) => `${a}@${y}@${x}`],
  ['two dots', ({ a, x }) => `${a}..b@${x}`],
  ['a dot at the end', ({ a, x }) => `${a}.@${x}`],
  ['no domain', ({ a }) => `<${a}@>`],
  ['no local part', ({ x }) => `<@${x}>`],
  ['a local user', ({ a }) => a],
  ['a name alone', () => 'Ann Bee'],
];

const kinds = [...names, ...comments, ...forms, ...lists, ...broken];
export const kindsOfEntries: readonly string[] = kinds.map(([kind]) => kind);

function encoded(text: string): string {
  return `=?utf-8?b?${Buffer.from(text).toString('base64')}?=`;
}

const word = fc.stringMatching(/^[b-y][a-y0-9]{2,6}z$/);
const domain = word.map((name) => `${name}.example`);
const parts: fc.Arbitrary<Parts> = fc.record({
  a: word,
  b: word,
  x: domain,
  y: domain,
  hidden: word.map((name) => `${name}@${HIDDEN}`),
});
const plain = fc.array(
  fc.tuple(word, domain).map(([name, host]) => `${name}@${host}`),
  { maxLength: 2 },
);

export const addressField: fc.Arbitrary<AddressField> = fc
  .record({ kind: fc.constantFrom(...kinds), parts, before: plain, behind: plain })
  .map(({ kind: [kind, write, means], parts: given, before, behind }) => ({
    kind,
    field: [...before, write(given), ...behind].join(', '),
    means: means
      ? [...before.map((email) => `<${email}>`), ...means(given), ...behind.map((email) => `<${email}>`)]
      : null,
  }));

const hiding = word.chain((name) =>
  fc.constantFrom(
    `"${name}@${HIDDEN}"`,
    `(${name}@${HIDDEN})`,
    `"<${name}@${HIDDEN}>"`,
    `(<${name}@${HIDDEN}>)`,
    `"\\" ${name}@${HIDDEN} \\\\"`,
    `(\\( ${name}@${HIDDEN} (a) \\\\)`,
    `"( ${name}@${HIDDEN}, "`,
    `(" ${name}@${HIDDEN}, )`,
  ),
);
const sign = fc.constantFrom(...'<>,;:@. )[]', 'ann', 'x.example', 'a@x.example', '=?utf-8?q?a?=');

/** Pieces in any order. Its quoted strings and comments are closed, and the hidden domain stands in nothing else. */
export const mixedField: fc.Arbitrary<string> = fc
  .array(fc.oneof(hiding, { arbitrary: sign, weight: 2 }), { minLength: 1, maxLength: 12 })
  .map((pieces) => pieces.join(''));
