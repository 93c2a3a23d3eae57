import type { TestStack } from '../../support/stack.ts';

const EVERY_MS = 1_000;
const SAID_EVERY_MS = 30_000;
const NEVER = new Date(0);

interface Options {
  workspaceId: string;
  /** Of how many emails; also what the time that it may take is bounded by. */
  emails: number;
  kills: () => number;
}

/** Until no email, event or send waits; says how far it is. Each check reads one index. */
export async function untilDone({ collections }: TestStack, { workspaceId, emails, kills }: Options): Promise<void> {
  const begun = Date.now();
  const end = begun + 120_000 + emails * 150;
  let said = begun;
  for (;;) {
    const [waiting, pending, due] = await Promise.all([
      collections.emails.countDocuments({ workspaceId, awaitsClassificationSince: { $gt: NEVER } }),
      collections.emails.countDocuments({ workspaceId, owedSince: { $gt: NEVER } }),
      collections.sends.countDocuments({ workspaceId, nextAt: { $gt: NEVER } }),
    ]);
    if (waiting + pending + due === 0) return;
    const progress = `P13 of ${emails}: waiting=${waiting} pending=${pending} due=${due} kills=${kills()}`;
    if (Date.now() > end) {
      const filter = { workspaceId, 'classification.quarantinedAt': { $gt: NEVER } };
      const quarantined = await collections.emails.countDocuments(filter);
      throw new Error(`not done in time; ${progress} quarantined=${quarantined}`);
    }
    if (Date.now() > said + SAID_EVERY_MS) {
      said = Date.now();
      process.stdout.write(`${progress} after ${Math.round((said - begun) / 1_000)} s\n`);
    }
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
}
