import { MailboxWriteOperatorServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { createProcess, within } from '../world/process.ts';
import type { Network } from '../world/rpc.ts';
import type { World } from '../world/world.ts';

export interface Operator {
  /** Removes the cause of the quarantine some time. Then no email stays there. */
  cures: boolean;
  /** From then on the model answers for every email. */
  hasRemovedCause: boolean;
}

const SHARE_OF_CURES = 0.6;
const EARLY_MS = 150_000;
const LONGEST_PAUSE_MS = 8_000;

/**
 * Retries the quarantined emails of a workspace: once at any time, and in some runs again and again once the cause is
 * removed.
 */
export function openOperator(world: World, network: Network, workspaceId: string): Operator {
  const process = createProcess(world, 'operator');
  const mailboxWrite = network.connect(MailboxWriteOperatorServiceDefinition, process);
  const { clock } = process.context;
  const operator = { cures: world.chance.happens(SHARE_OF_CURES), hasRemovedCause: false };
  const isAny = async (): Promise<boolean> => {
    const { items } = await mailboxWrite.listQuarantined({ mailboxId: undefined, limit: 0 }, { workspaceId });
    return items.length > 0;
  };
  const retry = async (): Promise<void> => {
    world.trace.say(process.name, 'retries quarantined emails');
    await mailboxWrite.retryQuarantined({ emailIds: [] }, { workspaceId }).catch(() => undefined);
  };
  const cure = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(world.chance.below(LONGEST_PAUSE_MS));
      if (!(await isAny().catch(() => false))) continue;
      operator.hasRemovedCause = true;
      await retry();
    }
  };
  within(process, () => {
    void clock.sleep(world.chance.below(EARLY_MS)).then(retry);
    if (operator.cures) void cure();
  });
  return operator;
}
