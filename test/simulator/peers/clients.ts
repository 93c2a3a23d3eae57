import { WorkspaceServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import { WORKSPACES } from '../arriving/setting.ts';
import type { Chance } from '../world/chance.ts';
import { createProcess, within } from '../world/process.ts';
import type { Network } from '../world/rpc.ts';
import type { Web } from '../world/web.ts';
import type { World } from '../world/world.ts';

/** One of the clients that make the same call at once, or another call under its key. */
export interface ClientCall {
  key: string;
  /** It stands in the rule that the call creates. */
  words: string;
  afterMs: number;
  /** The first final answer, and when it came. */
  answer?: { status: number; body: string; at: number };
}

const SECRET = `mk_${'s'.repeat(40)}`;
const [WORKSPACE] = WORKSPACES;
const MOST_AT_ONCE = 4;
const SHARE_OF_OTHERS = 0.3;
const SHARE_AT_ONCE = 0.6;
const SOON_MS = 60;
const LATER_MS = 20_000;
const AGAIN_MS = 700;
const OF_ANOTHER = 'another request body';

/** The calls of several clients for each key. At times one of them is another call. */
export function drawCalls(chance: Chance, count: number): ClientCall[][] {
  return Array.from({ length: count }, (_, n) => {
    const begin = chance.below(LATER_MS);
    const afterMs = () => begin + chance.below(chance.happens(SHARE_AT_ONCE) ? SOON_MS : LATER_MS);
    const same = { key: `key ${n}`, words: `first of ${n}` };
    const calls = Array.from({ length: chance.between(1, MOST_AT_ONCE) }, () => ({ ...same, afterMs: afterMs() }));
    const other = chance.happens(SHARE_OF_OTHERS) ? [{ ...same, words: `other of ${n}`, afterMs: afterMs() }] : [];
    return [...calls, ...other];
  });
}

/** Stands for workspace: it knows one key, which may do everything. */
export function serveKeys(world: World, network: Network): void {
  const createdAt = new Date(world.now()).toISOString();
  const key = { id: 'key_1', name: 'a key', scopes: ['read', 'write'], allowOutboundSend: true, createdAt };
  const workspace = { id: WORKSPACE, name: WORKSPACE, plan: 'expert', planInForce: 'expert', isSuspended: false };
  network.serve<WorkspaceServiceDefinition>(WorkspaceServiceDefinition, createProcess(world, 'workspace'), {
    resolveKey: async () => ({ key, workspace: { ...workspace, createdAt } }) as never,
  });
}

/** Each client makes its call again until it is answered for good. */
export function openClients(world: World, web: Web, calls: readonly ClientCall[]): void {
  const process = createProcess(world, 'clients');
  const { clock } = process.context;
  const play = async (call: ClientCall): Promise<void> => {
    await clock.sleep(call.afterMs);
    for (;;) {
      const request = {
        method: 'POST',
        path: '/auto-forward-rules',
        headers: {
          host: 'postroom.example',
          authorization: `Bearer ${SECRET}`,
          'content-type': 'application/json',
          'idempotency-key': call.key,
        },
        body: JSON.stringify({
          conditionField: 'subject_contains',
          conditionValue: call.words,
          forwardTo: 'eve@elsewhere.example',
        }),
      };
      const answer = await web.call(process, request).catch(() => undefined);
      world.trace.say(process.name, `"${call.words}": ${answer?.status ?? 'no answer'}`);
      const isOver = answer && (answer.status < 400 || answer.body.includes(OF_ANOTHER));
      if (isOver) call.answer = { ...answer, at: world.now() };
      if (isOver) return;
      await clock.sleep(AGAIN_MS);
    }
  };
  within(process, () => calls.forEach((call) => void play(call)));
}
