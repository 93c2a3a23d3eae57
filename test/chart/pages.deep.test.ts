import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, it } from '@jest/globals';
import { readArguments } from '../../services/operator/src/program/program.ts';
import { readRepositoryFile } from '../guards/sources.ts';
import { describeChart } from './describe-chart.ts';
import { CHART, CI_VALUES, hasHelm, helmTemplate, render } from './helm.ts';
import { podOf, workloads } from './objects.ts';
import { linesOfPages, operatorArguments, renderNotes, settingsOf, shownValues } from './pages.ts';

const lines = hasHelm ? linesOfPages() : [];
const metrics = readRepositoryFile('docs/metrics.md');

describeChart('what pages tell people to type', () => {
  const objects = render();
  const named = (kind: string) => objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name);
  const podLabels = workloads(objects).map(({ spec }) => Object.entries(spec.template?.metadata.labels ?? {}));

  it('are lines of many pages', () => {
    expect(new Set(lines.map(([page]) => page)).size).toBeGreaterThan(10);
  });

  it.each(lines)('is of this chart and these commands (%s: %s)', (_page, line) => {
    expect(line).toMatch(/^(helm|kubectl|curl) /);
    for (const [, kind, name] of line.matchAll(/ (deploy|service)\/(\S+)/g))
      expect(named(kind === 'deploy' ? 'Deployment' : 'Service')).toContain(name);
    for (const [, label, value] of line.matchAll(/ -l (\S+)=(\S+)/g))
      expect(podLabels.some((labels) => labels.some(([key, of]) => key === label && of === value))).toBe(true);
    // By labels kubectl shows ten lines of each pod, and whoever searches them does not hear of it.
    if (line.includes(' logs -l ')) expect(line).toContain(' --tail=-1 ');
    for (const [, name] of line.matchAll(/ secret generic (\S+)/g))
      expect(JSON.stringify([objects.map((object) => object.spec), podsText()])).toContain(`"${name}"`);
    for (const [, series] of line.matchAll(/\^\(?(postroom_\w+|http_\w+?)(?:_count)?[' |]/g))
      expect([metrics, readRepositoryFile('libs/http/src/observe.ts')].join()).toContain(series);
    expect(helmTemplate({ set: settingsOf(line) }).error).toBe('');
    const args = operatorArguments(line);
    if (args) expect(() => readArguments(args, () => undefined)).not.toThrow();
  });
  it('the values of the installation render, with an ingress and the app', () => {
    const folder = mkdtempSync(join(tmpdir(), 'postroom-values-'));
    writeFileSync(join(folder, 'mine.yaml'), shownValues());
    const shown = render({ values: [relative(CHART, join(folder, 'mine.yaml'))], asDelivered: true });
    rmSync(folder, { recursive: true });
    const has = (kind: string, name: string) =>
      shown.some((object) => object.kind === kind && object.metadata.name.startsWith(name));
    expect([has('Ingress', 'postroom'), has('Deployment', 'postroom-app')]).toEqual([true, true]);
  });

  const podsText = () => workloads(objects).map((object) => podOf(object));

  it.each(CI_VALUES)('the notes render with %s, and tell where the API is', (file) => {
    expect(renderNotes([file])).toMatch(/The API:\n {2}(https:\/\/mail|kubectl .* port-forward service\/\S+-gateway)/);
  });
});
