import { ApiError } from '@postroom/errors/api-error';
import { autoForwardLogId } from '@postroom/mail-store/auto-forward-log-id';
import { storedName } from '@postroom/mail-store/stored-names';
import { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import { OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import { findAll } from '../workload.ts';
import { createProcess, type Process } from '../world/process.ts';
import type { Network } from '../world/rpc.ts';
import type { World } from '../world/world.ts';

/** Replies and forwards by the operation that made them: a repeat of an operation makes nothing new. */
export interface Sent {
  /** The email of each reply, by operation. */
  replies: ReadonlyMap<string, string>;
  /** The rule and the email of each forward, by operation. */
  forwards: ReadonlyMap<string, string>;
  /** It is unavailable no more after this time. */
  thereFrom: number;
}

/** So long that five attempts at an email would fail, if an outage counted. */
const OUTAGE_MS = 150_000;
const LATEST_OUTAGE_MS = 10_000;

/** Stands for outbound-send by what it promises: each operation has one effect. */
export function openSending(world: World, network: Network): Sent {
  const name = 'outbound-send';
  const replies = new Map<string, string>();
  const forwards = new Map<string, string>();
  const keep = (into: Map<string, string>, operationId: string, what: string) => {
    if (!into.has(operationId)) world.trace.say(name, `takes ${operationId}`);
    into.set(operationId, what);
  };
  const start = (): Process => {
    const process = createProcess(world, name);
    network.serve<OutboundSendServiceDefinition>(OutboundSendServiceDefinition, process, {
      scheduleReply: async ({ emailId }, { operationId }) => {
        if ((await folderOf(world, emailId)) === undefined) throw new ApiError('EMAIL_NOT_FOUND');
        keep(replies, operationId, emailId);
        return { draftId: `draft of ${emailId}` };
      },
      forwardEmail: async ({ ruleId, emailId }, { operationId }) => {
        const isLeft = !forwards.has(operationId) && (await folderOf(world, emailId)) !== 'INBOX';
        if (isLeft) return { status: 'left', reason: undefined };
        keep(forwards, operationId, `${ruleId} ${emailId}`);
        return { status: 'queued', reason: undefined };
      },
    });
    return process;
  };
  const process = start();
  const thereFrom = world.faults.isOn('outage') ? endForAWhile(process, start) : world.now();
  return { replies, forwards, thereFrom };
}

async function folderOf(world: World, emailId: string): Promise<string | undefined> {
  const emails = await findAll<{ _id: string; folderType: string }>(world, 'emails', { folderType: 1 });
  return emails.find(({ _id }) => _id === emailId)?.folderType;
}

/** Returns the time at which the service is there again. */
function endForAWhile(process: Process, start: () => Process): number {
  const { world } = process;
  const after = world.chance.below(LATEST_OUTAGE_MS);
  world.after(after, undefined, () => {
    world.trace.say(process.name, `is unavailable for ${OUTAGE_MS} ms`);
    world.kill(process);
    world.after(OUTAGE_MS, undefined, start);
  });
  return world.now() + after + OUTAGE_MS;
}

/** Stands for the log of label-rule: one line for each rule and email. */
export function serveForwardLog(network: Network, process: Process): void {
  const { database } = process.world;
  network.serve<LabelRuleServiceDefinition>(LabelRuleServiceDefinition, process, {
    recordForward: async ({ ruleId, emailId, status }, { workspaceId }) => {
      const line = { workspaceId, _id: autoForwardLogId(workspaceId, ruleId, emailId) };
      const update = { q: line, u: { $set: { ruleId, emailId, status } }, upsert: true };
      await database.run({ update: storedName('autoForwardLogs'), updates: [update] });
      return {};
    },
  });
}
