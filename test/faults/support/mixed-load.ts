import type { Answer, Json } from '../../support/client.ts';
import { putEmails } from '../../support/emails.ts';
import type { TestStack } from '../../support/stack.ts';
import type { TestWorkspace } from '../../support/workspace.ts';
import type { Promised } from './audit.ts';
import { startAwakeClock, type AwakeClock } from './awake-clock.ts';
import { faultOf } from './contract.ts';

interface Seen {
  at: number;
  status: number;
  code: string | undefined;
}

export interface MixedLoad {
  /** Everything that was answered, in the order of the answers. */
  seen: Seen[];
  outsideContract: string[];
  promises: Promised[];
  clock: AwakeClock;
  stop(): Promise<void>;
}

interface Tenant {
  workspace: TestWorkspace;
  mailboxId: string;
  /** Emails that no call has touched yet: each is changed once, so that its events can be counted. */
  fresh: string[];
  labels: string[];
}

const EVERY_MS = 100;
/** A slow machine gets fewer calls, because the test is about the fault and not about the machine. */
const MOST_PENDING = 20;
const TENANTS = 2;
/** Few: a server that keeps its data on disk and reads all of it for every question is slow to fill. */
const EMAILS = 120;

/** Calls of every kind at a steady pace, also while those before still wait: an outage meets all of them. */
export async function startMixedLoad(stack: TestStack): Promise<MixedLoad> {
  const tenants: Tenant[] = [];
  for (let at = 0; at < TENANTS; at += 1) tenants.push(await openTenant(stack));
  const clock = startAwakeClock();
  const load: MixedLoad = { seen: [], outsideContract: [], promises: [], clock, stop: async () => undefined };
  const pending = new Set<Promise<void>>();
  let nth = 0;
  const timer = setInterval(() => {
    if (pending.size >= MOST_PENDING) return;
    const tenant = tenants[nth % TENANTS] as Tenant;
    const step = steps[Math.floor(nth / TENANTS) % steps.length] as Step;
    nth += 1;
    const work = step(tenant, load).finally(() => pending.delete(work));
    pending.add(work);
  }, EVERY_MS);
  load.stop = async () => {
    clearInterval(timer);
    await Promise.all(pending);
    clock.stop();
  };
  return load;
}

async function openTenant(stack: TestStack): Promise<Tenant> {
  const workspace = await stack.workspace();
  const mailbox = await workspace.connectMailbox();
  const folderId = mailbox.folders.find(({ type }) => type === 'INBOX')?.id ?? '';
  const before = { mailboxId: mailbox.id, folderId, subject: 'Before' };
  const emails = await putEmails(
    stack,
    workspace.id,
    Array.from({ length: EMAILS }, () => before),
  );
  // The gateway must have both keys in its cache: during an outage it cannot distinguish a new key from a wrong one.
  await workspace.read.get('/labels');
  await workspace.write.get('/labels');
  return { workspace, mailboxId: mailbox.id, fresh: emails.map(({ _id }) => _id), labels: [] };
}

type Step = (tenant: Tenant, load: MixedLoad) => Promise<void>;

/** One call: noted, held against the contract, and its body handed back where it was granted. */
async function ask(load: MixedLoad, call: () => Promise<Answer<Json>>): Promise<Json> {
  const begun = load.clock.now();
  try {
    const answer = await call();
    const fault = faultOf(answer, load.clock.now() - begun);
    if (fault) load.outsideContract.push(fault);
    load.seen.push({ at: performance.now(), status: answer.status, code: answer.body?.code });
    return answer.status < 300 ? (answer.body ?? {}) : undefined;
  } catch (error) {
    load.outsideContract.push(`no answer: ${String((error as Error).cause ?? error)}`);
    return undefined;
  }
}

let names = 0;
const read =
  (path: string): Step =>
  async ({ workspace }, load) =>
    void (await ask(load, () => workspace.read.get(path)));

const createLabel: Step = async ({ workspace, labels }, load) => {
  const name = `Label ${(names += 1)}`;
  const made = await ask(load, () => workspace.write.post('/labels', { name, color: 'Blue' }));
  if (!made) return;
  labels.push(made.label.id);
  load.promises.push({ kind: 'label', workspace, id: made.label.id });
};

const deleteLabel: Step = async ({ workspace, labels }, load) => {
  const id = labels.shift();
  if (!id) return;
  const before = load.promises.findIndex((promise) => promise.id === id);
  const [promise] = load.promises.splice(before, 1);
  const gone = await ask(load, () => workspace.write.delete(`/labels/${id}`));
  // Refused or not answered, it may have been done all the same: then nothing is promised of it any more.
  if (gone && promise) load.promises.push({ ...promise, kind: 'no label' });
};

const markRead: Step = async ({ workspace, fresh }, load) => {
  const id = fresh.pop();
  if (!id) return;
  const done = await ask(load, () => workspace.write.patch(`/emails/${id}`, { isRead: true }));
  if (done) load.promises.push({ kind: 'read', workspace, id });
};

const markManyRead: Step = async ({ workspace, fresh }, load) => {
  const emailIds = fresh.splice(-3);
  if (emailIds.length === 0) return;
  const body = { action: 'markRead', emailIds, isRead: true };
  const done = await ask(load, () => workspace.write.post('/emails/bulk', body));
  const updated: string[] = done?.updatedIds ?? [];
  load.promises.push(...updated.map((id): Promised => ({ kind: 'read', workspace, id })));
};

const receive: Step = async ({ workspace, mailboxId }, load) => {
  try {
    const [id] = await workspace.ingest(mailboxId, [{ subject: `During ${(names += 1)}` }]);
    if (id) load.promises.push({ kind: 'received', workspace, id });
  } catch {
    // Not acknowledged: the source keeps it and comes again.
  }
};

const steps: readonly Step[] = [
  read('/emails?limit=10'),
  createLabel,
  markRead,
  receive,
  read('/emails/search?q=before&limit=5'),
  markManyRead,
  read('/labels'),
  createLabel,
  deleteLabel,
  read('/mailboxes'),
];
