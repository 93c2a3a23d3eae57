import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { eventTable, eventTypes, type EventType } from '@postroom/events/event-table';
import { parse } from 'yaml';
import { readRepositoryFile, ROOT, serviceFolders } from './sources.ts';

interface ChartService {
  consumes?: { topic: string; group: string; partitions: number }[];
  autoscaling?: { by?: string };
}

const chart = (parse(readRepositoryFile('charts/postroom/values.yaml')) as { services: Record<string, ChartService> })
  .services;

/** The event types that each service declares in `defineService`. */
const declared = serviceFolders().map((name) => {
  const { service } = require(join(ROOT, 'services', name, 'src/service.ts')) as { service: { consumes?: string[] } };
  return { name, types: service.consumes ?? [] };
});
const consumers = declared.filter(({ types }) => types.length > 0).map(({ name }) => name);

describe('a consumer, by what its defineService says', () => {
  it('is a group of each of its events: an outbox keeps an event until every group has handled it', () => {
    const inTable = eventTypes.flatMap((type) => eventTable[type].groups.map((group) => `${group} ${type}`));
    const bySelf = declared.flatMap(({ name, types }) => types.map((type) => `${name} ${type}`));
    expect(bySelf.toSorted()).toEqual(inTable.toSorted());
  });

  it.each(declared)(
    '$name: its lines in the chart name its topics, their partitions and its group',
    ({ name, types }) => {
      const wanted = types.map((type) => {
        const { partitions } = eventTable[type as EventType].topic;
        return { topic: type, group: name, partitions };
      });
      expect(chart[name]?.consumes ?? []).toEqual(wanted);
    },
  );

  it('is named by docs/metrics.md beside the metrics of events', () => {
    const rows = readRepositoryFile('docs/metrics.md').split('\n');
    const named = rows
      .filter((row) => /`postroom_events_\w+` +\| `group`/.test(row))
      .map((row) => row.split('|')[3]?.trim());
    expect(new Set(named)).toEqual(new Set([consumers.toSorted().join(', ')]));
  });

  it('is named by docs/operating.md where its lag decides how many there are', () => {
    const scaled = consumers.filter((name) => chart[name]?.autoscaling?.by === 'lag').toSorted();
    const list = scaled.map((name) => `\`${name}\``).join(', ');
    expect(readRepositoryFile('docs/operating.md')).toContain(`consumers (${list})`);
  });
});
