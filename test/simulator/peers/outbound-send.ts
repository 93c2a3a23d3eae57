import { autoForwardLogId } from '@postroom/mail-store/auto-forward-log-id';
import { storedName } from '@postroom/mail-store/stored-names';
import { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import { OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import { createProcess, type Process } from '../world/process.ts';
import type { Network } from '../world/rpc.ts';
import type { World } from '../world/world.ts';

/** Replies and forwards by the operation that made them: a repeat of an operation makes nothing new. */
export interface Sent {
  /** The email of each reply, by operation. */
  replies: ReadonlyMap<string, string>;
  /** The rule and the email of each forward, by operation. */
  forwards: ReadonlyMap<string, string>;
}

/** Stands for outbound-send and label-rule by what they promise: each operation has one effect. */
export function openSending(world: World, network: Network): Sent {
  const process = createProcess(world, 'outbound-send');
  const replies = new Map<string, string>();
  const forwards = new Map<string, string>();
  const keep = (into: Map<string, string>, operationId: string, what: string) => {
    if (!into.has(operationId)) world.trace.say(process.name, `takes ${operationId}`);
    into.set(operationId, what);
  };
  network.serve<OutboundSendServiceDefinition>(OutboundSendServiceDefinition, process, {
    scheduleReply: async ({ emailId }, { operationId }) => {
      keep(replies, operationId, emailId);
      return { draftId: `draft of ${emailId}` };
    },
    forwardEmail: async ({ ruleId, emailId }, { operationId }) => {
      keep(forwards, operationId, `${ruleId} ${emailId}`);
      return { status: 'queued', reason: undefined };
    },
  });
  serveForwardLog(network, process);
  return { replies, forwards };
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
