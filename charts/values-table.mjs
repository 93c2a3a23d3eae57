// The page of values, from the comments of values.yaml: node charts/values-table.mjs > charts/postroom/VALUES.md
import { readFileSync } from 'node:fs';
import { isMap, parseDocument } from 'yaml';

const valuesFile = new URL('postroom/values.yaml', import.meta.url);

function valuesPage() {
  const { contents } = parseDocument(readFileSync(valuesFile, 'utf8'));
  const rows = rowsOf(contents, '').map(({ key, value, text }) => `| \`${key}\` | ${shown(value)} | ${text} |`);
  return ['# Values', '', '| key | unless set | what it says |', '| --- | --- | --- |', ...rows, ''].join('\n');
}

const shown = (value) => (value === undefined ? '' : `\`${JSON.stringify(value)}\``);

/** A key whose own keys say nothing is one row; of services, each lays its differences over the defaults. */
function rowsOf(map, path) {
  return map.items.flatMap((pair, index) => {
    const key = `${path}${pair.key.value}`;
    // The comment before a map's first key is kept by the map.
    const comment = pair.key.commentBefore ?? (index === 0 && path !== '' ? map.commentBefore : undefined);
    if (key === 'services') return [{ key, text: SERVICES }];
    const inner = isMap(pair.value) ? rowsOf(pair.value, `${key}.`) : [];
    const isSplit = inner.some(({ text }) => text !== '');
    const text = described(comment);
    const whole = { key, value: pair.value.toJSON(), text };
    if (!isSplit) return [whole];
    return text ? [{ key, text }, ...inner] : inner;
  });
}

/** A comment above a blank line describes the whole file. */
function described(comment = '') {
  const [own = ''] = comment.split(/\n\s*\n/).slice(-1);
  return own.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').trim();
}

const SERVICES =
  'Each service, with what differs from the defaults; `services.<name>.replicas` and every other key above.';

process.stdout.write(valuesPage());
