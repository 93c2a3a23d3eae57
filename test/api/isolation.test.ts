import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { currentTraceparent } from '@postroom/runtime/tracing';
import mongoose, { type mongo } from 'mongoose';
import { z } from 'zod';
import type { Route } from '../../services/gateway/src/routes/route.ts';
import { routes } from '../../services/gateway/src/routes/table.ts';
import { eventually } from '../engines/eventually.ts';
import { whenDatabaseHas } from '../engines/support/mongo.ts';
import type { Answer } from '../support/client.ts';
import { startCollector, type Collector } from '../support/collector.ts';
import { openMailSink, type MailSink } from '../support/mail-sink.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';
import { goodBodies } from './good-bodies.ts';
import { idOf, placeholders, slotsOfAddress, slotsOfBody, type Slot } from './id-slots.ts';
import { populated, storedOf, type Ids } from './populated.ts';

let collector: Collector;
let sink: MailSink;
let stack: TestStack;
let ours: { workspace: TestWorkspace; ids: Ids };
let theirs: typeof ours;
let theirsBefore: unknown;
let theirUnits: number;

beforeAll(async () => {
  sink = await openMailSink();
  collector = await startCollector();
  stack = await startStack({ otlpEndpoint: collector.endpoint, variables: { DEVELOPMENT_SMTP_ADDR: sink.address } });
  const open = mongoose.connections.filter(({ readyState }) => readyState === mongoose.ConnectionStates.connected);
  // The feed appends what happened in the background, in as many batches as chance makes of it.
  const clients = open
    .map((connection) => connection.getClient())
    .filter((client) => client.options.appName !== 'postroom-changes');
  for (const client of clients) client.on('commandStarted', note);
  [ours, theirs] = [await populated(stack, 'mine'), await populated(stack, 'CANARY')];
  // The first send of a mailbox notes how it stands, which the next ones find.
  const first = {
    mailboxId: ours.ids.mailboxId,
    to: [{ email: 'a@b.example' }],
    subject: 'first',
    body: { text: 'x' },
  };
  expect((await ours.workspace.send.post('/drafts/send', first)).status).toBe(200);
  // Wait until the services have processed the new mail of the other workspace.
  await eventually(async () => {
    const before = await storedOf(stack, theirs.workspace.id);
    await new Promise((resolve) => setTimeout(resolve, 300));
    theirsBefore = await storedOf(stack, theirs.workspace.id);
    expect(theirsBefore).toEqual(before);
  });
  theirUnits = unitsLeft(await theirs.workspace.read.get('/labels'));
});
afterAll(async () => {
  await stack?.close();
  await sink?.close();
  await collector?.close();
});

const bodiesOf = ({ operationId }: Route): (object | undefined)[] =>
  goodBodies(placeholders)[operationId] ?? [undefined];

interface Case {
  route: Route;
  slot: Slot;
  body: object | undefined;
}
const cases = routes.flatMap((route): Case[] => [
  ...slotsOfAddress(route).map((slot) => ({ route, slot, body: bodiesOf(route)[0] })),
  ...bodiesOf(route).flatMap((body) => slotsOfBody(body).map((slot) => ({ route, slot, body }))),
]);
const titleOf = ({ route: { method, path }, slot, body }: Case) =>
  `${method} ${path} ${slot.position}${slot.position.startsWith('body') ? ` of ${JSON.stringify(body)}` : ''}`;

/** An id like another, which nobody has. */
const unknownLike = (id: string) =>
  id.replaceAll(/(?<=[_<].*)\w/g, (letter) => ({ 0: '1', a: 'b', A: 'B' })[letter] ?? (/\d/.test(letter) ? '0' : 'a'));

/** The call with every id of ours but one. */
function request({ route, slot, body }: Case, id: string) {
  const slotValue = (position: string, kind: keyof Ids) => (position === slot.position ? id : idOf(ours.ids, kind));
  const slots = slotsOfAddress(route);
  const path = slots
    .filter(({ position }) => position.startsWith('path.'))
    .reduce(
      (text, { position, kind }) => text.replace(`{${position.slice(5)}}`, slotValue(position, kind)),
      route.path,
    );
  return { path: path + queryOf({ route, slot, body }, id), body: body && filled(body, slotValue) };
}

function queryOf({ route, slot }: Case, id: string): string {
  const search = new URLSearchParams(route.path === '/emails/search' ? { q: 'CANARY' } : {});
  const [where, name = ''] = slot.position.split('.');
  const tree = { id: 'a', label: 'label', type: 'not_contains', value: id };
  if (where === 'query') search.set(name, name === 'filters' ? JSON.stringify(tree) : id);
  return search.size > 0 ? `?${search.toString()}` : '';
}

function filled(body: unknown, filled: (position: string, kind: keyof Ids) => string): unknown {
  const slots = slotsOfBody(body);
  let text = JSON.stringify(body);
  // In the order in which they stand, which is the order they were found in.
  for (const { position, kind } of slots) text = text.replace(`"{${kind}}"`, JSON.stringify(filled(position, kind)));
  return JSON.parse(text);
}

/** Headers that change with every answer. */
const MOVING = new Set(['date', 'x-request-id', 'x-ratelimit-remaining', 'x-ratelimit-quota-remaining']);

/** An answer as text, without the requested id, generated ids, times and headers that always change. */
function bytesOf({ status, headers, body }: Answer, id: string): string {
  const kept = [...headers].filter(([name]) => !MOVING.has(name)).map((pair) => pair.join(': '));
  const text = (JSON.stringify(body) ?? '').replaceAll(JSON.stringify(id).slice(1, -1), '(the id)');
  if (status >= 400) return [status, ...kept, text].join('\n');
  const made = text
    .replaceAll(/\b([a-z]{3})_[A-Za-z0-9]{22}/g, '$1_')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a time')
    .replaceAll(/<[0-9a-f]{20,}@/g, '<made@');
  return [status, ...kept, made].join('\n');
}

/** The database commands of each request with their collections, by trace id. */
const commands = new Map<string, string[]>();
function note({ commandName, command }: mongo.CommandStartedEvent): void {
  const trace = currentTraceparent()?.split('-')[1] ?? '';
  const collection = (command as Record<string, unknown>)[commandName];
  // The gateway resolves the key again every few seconds, independently of the request.
  if (collection === 'apiKeys' || collection === 'workspaces') return;
  commands.set(trace, [...(commands.get(trace) ?? []), `${commandName} ${String(collection)}`]);
}

const traces = new Set<string>();
function newTrace(): string {
  const trace = randomBytes(16).toString('hex');
  traces.add(trace);
  return trace;
}

const unitsLeft = ({ headers }: Answer) => Number(headers.get('x-ratelimit-quota-remaining'));

describe("another workspace's id is answered like one that nobody has, byte for byte, and costs as much, of units and of time", () => {
  whenDatabaseHas('projections', 'expressions').each(cases.map((each) => [titleOf(each), each] as const))(
    '%s',
    async (_title, each) => {
      const { method } = each.route;
      const call = async (id: string, trace: string) => {
        const { path, body } = request(each, id);
        const before = unitsLeft(await ours.workspace.read.get('/labels'));
        const answer = await ours.workspace.send.request(method, path, {
          body,
          headers: { traceparent: `00-${trace}-${'b'.repeat(16)}-01` },
        });
        const units = before - unitsLeft(answer);
        return { answer, units, bytes: bytesOf(answer, id), commands: commands.get(trace)?.sort() };
      };
      const foreign = idOf(theirs.ids, each.slot.kind);
      const [unknown, found] = [await call(unknownLike(foreign), newTrace()), await call(foreign, newTrace())];
      expect(found.bytes).toBe(unknown.bytes);
      expect(found.units).toBe(unknown.units);
      // As much work is as much time, and can be counted.
      expect(found.commands).toEqual(unknown.commands);
      expect(JSON.stringify(found.answer.body)?.replaceAll(foreign, '') ?? '').not.toContain('CANARY');
    },
  );

  it("and the work of most of these calls is the database's", () => {
    expect([...commands.keys()].filter((trace) => traces.has(trace)).length).toBeGreaterThan(cases.length);
  });

  it('and nothing of theirs has changed by it', async () => {
    expect(await storedOf(stack, theirs.workspace.id)).toEqual(theirsBefore);
    expect(unitsLeft(await theirs.workspace.read.get('/labels'))).toBe(theirUnits - 1);
    // But for the Message-ID that the caller itself has named.
    expect(JSON.stringify(sink.caught).replaceAll(theirs.ids.messageId, '')).not.toContain('CANARY');
  });
});

describe('no slot of an id is left out', () => {
  it('every endpoint with a body has a good one, and every id in it is a slot', () => {
    for (const route of routes.filter(({ body }) => body)) {
      const {
        properties = {},
        anyOf,
        oneOf = anyOf,
      } = z.toJSONSchema(route.body as z.ZodType, {
        io: 'input',
        unrepresentable: 'any',
      }) as { properties?: object; anyOf?: { properties: object }[]; oneOf?: { properties: object }[] };
      const fields = [properties, ...(oneOf ?? []).map((form) => form.properties)].flatMap(Object.keys);
      const positions = bodiesOf(route).flatMap((body) => slotsOfBody(body).map(({ position }) => position));
      const missed = fields.filter(
        (name) => /Ids?$/.test(name) && !positions.some((position) => position.startsWith(`body.${name}`)),
      );
      expect([route.operationId, bodiesOf(route)[0] !== undefined, missed]).toEqual([route.operationId, true, []]);
    }
  });
});
