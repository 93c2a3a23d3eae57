import type { Answer, Json } from '../../support/client.ts';
import type { Victim } from './inhabitants.ts';

/** The times of the victim's calls, and the failures that no attack may cause. */
export interface Suffered {
  millis: number[];
  faults: string[];
}

const PAUSE_MS = 60;
const MOST_FAULTS = 5;

type Call = (victim: Victim, nth: number) => Promise<Answer<Json>>;

/** The ordinary calls of a user: list, search, read, label. */
const calls: Readonly<Record<string, Call>> = {
  list: ({ workspace, mailboxId }) => workspace.read.get(`/emails?folderType=INBOX&mailboxId=${mailboxId}`),
  search: ({ workspace }) => workspace.read.get('/emails/search?q=report'),
  read: ({ workspace, emailIds }, nth) => workspace.read.get(`/emails/${emailIds[nth % emailIds.length]}/body`),
  label: ({ workspace, emailIds, labelId }, nth) => {
    const path = `/emails/${emailIds[nth % emailIds.length]}/labels/${labelId}`;
    return nth % 2 === 0 ? workspace.write.post(path) : workspace.write.delete(path);
  },
};

let count = 0;

/** Makes this many rounds of ordinary calls. The victims alternate, because each has its own limits. */
export async function live(victims: readonly Victim[], passes: number): Promise<Suffered> {
  const suffered: Suffered = { millis: [], faults: [] };
  for (let repetition = 0; repetition < passes; repetition++) {
    const nth = count++;
    const victim = victims[nth % victims.length] as Victim;
    for (const [name, call] of Object.entries(calls)) await suffer(suffered, name, () => call(victim, nth));
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return suffered;
}

/** Lists and opens hostile mail, because every stored email must stay readable for its workspace. */
export async function openSecondMailbox({ workspace, secondMailboxId }: Victim): Promise<string[]> {
  const suffered: Suffered = { millis: [], faults: [] };
  const page = await suffer(suffered, 'list of hostile mail', () =>
    workspace.read.get(`/emails?mailboxId=${secondMailboxId}`),
  );
  for (const { id } of page?.body?.items?.slice(0, 3) ?? []) {
    await suffer(suffered, 'hostile email', () => workspace.read.get(`/emails/${id}`));
  }
  return suffered.faults;
}

async function suffer(suffered: Suffered, name: string, call: () => Promise<Answer<Json>>) {
  const begun = performance.now();
  const answer = await call().catch((error: Error) => error);
  suffered.millis.push(performance.now() - begun);
  if (!(answer instanceof Error) && answer.status < 300) return answer;
  const fault =
    answer instanceof Error
      ? `no answer: ${answer.message} ${(answer.cause as Error | undefined)?.message}`
      : `${answer.status} ${answer.body?.code}`;
  if (suffered.faults.length < MOST_FAULTS) suffered.faults.push(`${name}: ${fault}`);
  return undefined;
}
