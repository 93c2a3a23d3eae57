import type { MigrationEvent, OnProgress } from '@postroom/mail-store/migrations/progress';
import type { CommandDeps } from '../command/command-deps.ts';

const BATCH_EVERY_MS = 5_000;
const number = new Intl.NumberFormat('en-GB');

/** Prints a line for each single event, lines at intervals while documents are rewritten, and nothing with --json. */
export function migrationLines({ progress, json, context: { clock } }: CommandDeps): OnProgress {
  let said = clock.now();
  return (event) => {
    const isOften = event.at === 'batch written' || event.at === 'waiting';
    if (json || (isOften && clock.now() - said < BATCH_EVERY_MS)) return;
    said = clock.now();
    progress.write(`${lineOf(event)}\n`);
  };
}

function lineOf(event: MigrationEvent): string {
  if (event.at === 'waiting') return 'another migration is under way: waiting for it';
  if ('index' in event) return `${event.at}: ${event.collection}.${event.index}`;
  if ('title' in event) return `${event.at}: ${event.version}, ${event.title}`;
  if ('cause' in event) return `${event.at}: ${event.version}, ${event.collection} ${event.id}: ${event.cause}`;
  if (!('seen' in event)) return `${event.at}: ${event.version}`;
  const { at, version, collection, seen, changed, total } = event;
  const figures = [seen, total, changed].map((figure) => number.format(figure));
  return `${at}: ${version}, ${collection}: ${figures[0]} of ${figures[1]} read, ${figures[2]} rewritten`;
}
