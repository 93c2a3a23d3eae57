import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { productSources, readRepositoryFile, repositoryFiles } from '../guards/sources.ts';
import { skipAloud } from '../support/skips.ts';
import { CHART, readYaml } from './helm.ts';

interface Rule {
  alert?: string;
  record?: string;
  expr: string;
  labels?: Record<string, string>;
  annotations?: { summary: string; runbook_url: string };
}
interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { h: number; w: number; x: number; y: number };
  datasource: { type: string; uid: string };
  targets: { refId: string; expr: string }[];
}
interface Dashboard {
  uid: string;
  title: string;
  schemaVersion: number;
  templating: { list: { name: string; type: string }[] };
  panels: Panel[];
}

const ALERTS = join(CHART, 'alerts.yaml');
const TRIALS = join(__dirname, 'alerts.promtool.yaml');
const rules = readYaml<{ groups: { rules: Rule[] }[] }>(ALERTS).groups.flatMap((group) => group.rules);
const alerts = rules.filter(({ alert }) => alert !== undefined);
const dashboards = readdirSync(join(CHART, 'dashboards')).map((file): [string, Dashboard] => [
  file,
  JSON.parse(readFileSync(join(CHART, 'dashboards', file), 'utf8')) as Dashboard,
]);
const code = productSources()
  .map(({ text }) => text)
  .join('\n');
const recorded = rules.flatMap(({ record }) => record ?? []);

/** Names of series in an expression: what is neither text, nor a label, nor a function, nor a word of the language. */
function seriesIn(expression: string): string[] {
  const bare = expression
    .replaceAll(/"[^"]*"|\{[^}]*\}|\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, ' ');
  const words = bare.matchAll(/(?<![\w.:])[a-zA-Z_:][\w:]*(?!\w*\s*\()/g);
  return [...words].map(([word]) => word).filter((word) => !['and', 'or', 'unless', 'bool', 'offset'].includes(word));
}

const isKnown = (series: string) =>
  recorded.includes(series) ||
  [series, series.replace(/_(bucket|count|sum)$/, '')].some((name) => code.includes(`'${name}'`));

const promtool = [process.env.PROMTOOL ?? '', 'promtool'].find(
  (file) => file && spawnSync(file, ['--version']).status === 0,
);
if (!promtool) skipAloud('the trials of alerts: no promtool (Debian has it in the package prometheus)');

describe('alerts and dashboards', () => {
  it.each(alerts.map((rule): [string, Rule] => [`${rule.alert} ${rule.labels?.['severity']}`, rule]))(
    '%s looks at series that exist, and names a runbook that knows it',
    (_name, { alert = '', expr, annotations }) => {
      expect(seriesIn(expr).length).toBeGreaterThan(0);
      expect(seriesIn(expr).filter((series) => !isKnown(series))).toEqual([]);
      expect(readRepositoryFile(annotations?.runbook_url ?? '')).toContain(alert);
    },
  );

  it.each(rules.flatMap(({ record, expr }) => (record ? [[record, expr]] : [])))(
    '%s is made of series that exist',
    (_name, expr) => {
      expect(seriesIn(expr).filter((series) => !isKnown(series))).toEqual([]);
    },
  );

  it('tries every alert', () => {
    const trials = readFileSync(TRIALS, 'utf8');
    expect(alerts.filter(({ alert }) => !trials.includes(`"${alert}"`)).map(({ alert }) => alert)).toEqual([]);
  });

  it('has no runbook that no alert names', () => {
    const named = alerts.map(({ annotations }) => annotations?.runbook_url);
    expect(repositoryFiles('docs/runbooks').filter((page) => !named.includes(page))).toEqual([]);
  });

  (promtool ? it : it.skip)('promtool understands the rules, and each fires when it should and not else', () => {
    const run = (...args: string[]) => spawnSync(promtool ?? '', args, { cwd: __dirname, encoding: 'utf8' });
    const check = run('check', 'rules', ALERTS);
    expect([check.status, check.stderr]).toEqual([0, '']);
    const trial = run('test', 'rules', TRIALS);
    expect(trial.stdout + trial.stderr).toContain('SUCCESS');
    expect(trial.status).toBe(0);
  });

  it.each(dashboards)('%s shows series that exist', (_file, { panels }) => {
    const shown = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => seriesIn(expr)));
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.filter((series) => !isKnown(series))).toEqual([]);
  });

  it.each(dashboards)(
    '%s is as Grafana reads it: panels with ids of their own, side by side, of the chosen source',
    (file, board) => {
      expect(board.uid).toBe(`postroom-${file.replace('.json', '')}`);
      expect(board.schemaVersion).toBeGreaterThanOrEqual(39);
      const [source] = board.templating.list.filter(({ type }) => type === 'datasource');
      const cells = board.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
        Array.from({ length: w * h }, (_none, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`),
      );
      expect(new Set(cells).size).toBe(cells.length);
      expect(new Set(board.panels.map(({ id }) => id)).size).toBe(board.panels.length);
      for (const { datasource, gridPos, targets, title, type } of board.panels) {
        expect([datasource.uid, type, gridPos.x + gridPos.w <= 24]).toEqual([
          `\${${source?.name}}`,
          'timeseries',
          true,
        ]);
        expect(title && targets.every(({ refId }, index) => refId === String.fromCodePoint(65 + index))).toBe(true);
      }
    },
  );
});
