import { describe, expect, it } from '@jest/globals';
import { readRepositoryFile, repositoryFiles } from './sources.ts';

const sources = repositoryFiles('libs', 'services', 'deploy', 'test')
  .filter((path) => path.endsWith('.ts') && !/^libs\/proto\/|\/migrations\/|^test\/guards\/language/.test(path))
  .map((path) => ({ path, text: readRepositoryFile(path), home: path.split('/').slice(0, 2).join('/') }));
const product = sources.filter(({ path }) => /\/src\//.test(path) && !/\.test(-support)?\.ts$/.test(path));

const read = (path: string) => ({ path, text: readRepositoryFile(path) });
const protos = repositoryFiles('proto')
  .filter((path) => path.endsWith('.proto'))
  .map(read);
const components = repositoryFiles('services')
  .filter((path) => path.endsWith('.tsx'))
  .map(read);

/** `PRINT_WORDS=1` prints each hit. */
function report(kind: string, hits: readonly string[]): void {
  if (process.env.PRINT_WORDS) process.stdout.write(`${kind}: ${hits.length}\n${hits.join('\n')}\n\n`);
}

/** The bounds hold the numbers of today. They may only fall: lower them with each change that removes a hit. */
const MOST_SHARED_NAMES = 12;
const MOST_RELATIVE_COMMENTS = 0;
const MOST_LONG_FUNCTIONS = 10;
const CONVENTIONS = new Set([
  'config',
  'service',
  'Deps',
  'handlers',
  'Rpcs',
  'OperatorRpcs',
  'createHandlers',
  'createOperatorHandlers',
]);

function sharedNames(): string[] {
  const homes = new Map<string, Set<string>>();
  const pattern = /^export (?:declare )?(?:async )?(?:function\*?|const|class|interface|type|enum) (\w+)/gm;
  for (const { text, home } of product)
    for (const [, name = ''] of text.matchAll(pattern)) homes.set(name, new Set([...(homes.get(name) ?? []), home]));
  return [...homes]
    .filter(([name, packages]) => packages.size > 1 && !CONVENTIONS.has(name))
    .map(([name, packages]) => `${name}: ${[...packages].join(', ')}`);
}

const RELATIVE = '(?:What|Whoever|Whatever|Whose|Whom|Who|That which|Which|How (?:many|much|long|often))';
/** A sentence that begins so and is no question. A list item such as "Which tool fails, and why." is one in a page. */
const FREE_RELATIVE = new RegExp(`(?:^|[.;:] )${RELATIVE}\\b[^.?]*(?![^.?]*\\?)`);
const TITLE = /\b(?:it|describe|test)(?:\.\w+)*(?:\([^'`]{0,60}\))?\(\s*(['`])((?:\\.|(?!\1).)*)\1/g;
const RELATIVE_TITLE = new RegExp(`: ${RELATIVE}\\b`, 'i');
const COMMENT = /\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n?)+|(?<=[;,{)] )\/\/.*/gm;
const textOf = (comment: string) =>
  comment.replace(/^\s*(?:\/\/|\/\*\*?)\s*/, '').replace(/\s*\n\s*(?:\/\/|\*)?\s*/g, ' ');

function relativeComments(): string[] {
  return [...sources, ...protos].flatMap(({ path, text }) =>
    [...text.matchAll(COMMENT)]
      .filter(([comment]) => FREE_RELATIVE.test(textOf(comment)))
      .map(({ index }) => `${path}:${text.slice(0, index).split('\n').length}`),
  );
}

/** Prettier puts the end of a top-level function on a line of its own. */
function longFunctions(): string[] {
  return [...product, ...components].flatMap(({ path, text }) =>
    [...text.matchAll(/^(?:export )?(?:async )?function\*? (\w+)[\s\S]*?^\}/gm)]
      .filter(([body]) => body.split('\n').length >= 55)
      .map(([body, name]) => `${path} ${name}: ${body.split('\n').length}`),
  );
}

/** Words that the style replaces, as parts of identifiers. */
const TABLE: Readonly<Record<string, RegExp>> = {
  owed: /^(?:owe|owes|owed|owing)$/,
  turnstile: /^turnstiles?$/,
  turn: /^turns?$/,
  settle: /^(?:un)?settl(?:e|es|ed|ing)$/,
  look: /^look(?:s|ed|ing)?$/,
  round: /^rounds?$/,
  away: /^away$/,
  door: /^doors?$/,
  lane: /^lanes?$/,
  objection: /^objections?$/,
  remainder: /^remainders?$/,
  guest: /^guests?$/,
  steady: /^steady$/,
  aside: /^aside$/,
  place: /^place[ds]?$/,
  render: /^render(?:s|ed|ing)?$/,
  metaphor: /^(?:house|room|siege)s?$/,
};

/** Names of others: a metric of an earlier release, the language, a library, an algorithm, a division, Helm's templates. */
const GIVEN =
  /\bpostroom_events_owed\b|\brenderError\b|\bMath\.round\b|\bPromise\.allSettled\b|\bround_robin\b|\b\w*[rR]oundRobin\b/g;
const DIVISION = /\bremainder\b/g;
const HELM = /\brender(?:ed|Notes)?\b|\bRender(?:ed)?\b/g;
/** Stored fields keep the names of the first schema (docs/decisions/0023). Those of one word are allowed as properties, never as variables. */
const STORED_FIELD = /\b_?(?:owedSince|owedOrder|isUnsettled|setAsideId|settledAt|remainderOf)\b/g;
const STORED_PROPERTY =
  /(?<=[^.]\.)(?:place|round|rendered|guests?)\b|\b(?:place|round|rendered|guests?|remainder)(?=\??:)|`guests\./g;
const STORED_IN =
  /^(?:libs\/mail-store|services\/(?:mailbox-(?:read|sync|write)|outbound-send))\/|^test\/(?:api|mail|migration|scenarios|support|faults)\//;

const givenIn = (path: string, text: string): RegExp[] => [
  GIVEN,
  STORED_FIELD,
  ...(STORED_IN.test(path) ? [STORED_PROPERTY] : []),
  ...(path.startsWith('libs/embedded/') ? [DIVISION] : []),
  ...(/test\/(?:chart|images)\/|chart\/helm\.ts'/.test(`${path} ${text}`) ? [HELM] : []),
];
/** Without comments and the text of strings. Of a template, the expressions stay. */
const codeOf = (text: string) =>
  text.replace(/\/\*[\s\S]*?\*\/|(?<![:'])\/\/.*|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g, (part) =>
    part.startsWith('`') ? (part.match(/\$\{[^}]*\}/g) ?? []).join(' ') : ' ',
  );
const ownNamesOf = (path: string, text: string) =>
  givenIn(path, text)
    .reduce((code, given) => code.replace(given, ' '), codeOf(text))
    .match(/[A-Za-z_$][\w$]*/g) ?? [];

const partsOf = (name: string) => (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((part) => part.toLowerCase());

// The names of all files are read once and serve every word.
const partsOfNames = new Map<string, readonly string[]>();
const named = sources.map(({ path, text }) => {
  const names = ownNamesOf(path, text);
  for (const name of names) if (!partsOfNames.has(name)) partsOfNames.set(name, partsOf(name));
  return { path, names };
});

function hitsOf(pattern: RegExp): string[] {
  const refused = new Set(
    [...partsOfNames].filter(([, parts]) => parts.some((part) => pattern.test(part))).map(([name]) => name),
  );
  return named.flatMap(({ path, names }) => {
    const hits = names.filter((name) => refused.has(name));
    return hits.length > 0 ? [`${path}: ${[...new Set(hits)].join(' ')} (${hits.length})`] : [];
  });
}

/** Idioms in comments, titles, log lines and text for people. Names of indexes and of calls stay. */
const PROSE =
  /\b(?:owe|owes|owed|owing|doors?|turnstiles?|siege|in step|(?:un)?settle[sd]?|settling|(?:is|was|are|were|stays) away)\b/i;
const GIVEN_PROSE = /[`']owed[`']|[`']unsettled[`']|`settle`|settle: see/;

function idioms(): string[] {
  const others = repositoryFiles('docs', 'charts', 'services', 'proto').filter((path) =>
    /\.(?:tsx|md|proto)$/.test(path),
  );
  const texts = others.map((path) => ({ path, text: readRepositoryFile(path) }));
  return [...sources, ...texts].flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) => (PROSE.test(line) && !GIVEN_PROSE.test(line) ? [`${path}:${index + 1}: ${line}`] : [])),
  );
}

describe('the language of the repository', () => {
  it('has few exported names that two packages define', () => {
    const names = sharedNames();
    report('exported names of two packages', names);
    expect(names.length).toBeLessThanOrEqual(MOST_SHARED_NAMES);
  });

  it('has few comments that begin with a free relative clause', () => {
    const comments = relativeComments();
    report('comments', comments);
    expect(comments.length).toBeLessThanOrEqual(MOST_RELATIVE_COMMENTS);
  });

  it('has no test title that begins with a free relative clause', () => {
    const titles = sources.flatMap(({ path, text }) =>
      [...text.matchAll(TITLE)].map(([, , title]) => `${path}: ${title}`),
    );
    expect(titles.length).toBeGreaterThan(2_000);
    expect(titles.filter((title) => RELATIVE_TITLE.test(title))).toEqual([]);
  });

  it('says no idiom in comments, titles and text for people', () => {
    const found = idioms();
    report('idioms', found);
    expect(found).toEqual([]);
  });

  it('has few functions of 55 lines or more', () => {
    const functions = longFunctions();
    report('functions', functions);
    expect(functions.length).toBeLessThanOrEqual(MOST_LONG_FUNCTIONS);
  });

  it.each(Object.entries(TABLE))('uses no name with the word "%s"', (word, pattern) => {
    const hits = hitsOf(pattern);
    report(`${word}: ${hits.length} files`, hits);
    expect(hits).toEqual([]);
  });
});
