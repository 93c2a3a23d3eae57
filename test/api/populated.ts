import { storeDelivery } from '../support/deliveries.ts';
import type { TestStack } from '../support/stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

interface Populated {
  workspace: TestWorkspace;
  /** By path parameter; a new resource has its line here and nowhere else. */
  ids: Ids;
}
export type Ids = Awaited<ReturnType<typeof makeOneOfEach>>;

/** A workspace with one of everything, each marked so that any of it is known wherever it shows. */
export async function populated(stack: TestStack, mark: string): Promise<Populated> {
  const workspace = await stack.workspace();
  return { workspace, ids: await makeOneOfEach(stack, workspace, mark) };
}

async function makeOneOfEach(stack: TestStack, workspace: TestWorkspace, mark: string) {
  const { write, send, read } = workspace;
  const mailbox = await workspace.connectMailbox({ name: mark, aliases: [`${mark}-alias@example.com`] });
  const messageId = `<${mark}@sender.example>`;
  const [emailId = ''] = await workspace.ingest(mailbox.id, [{ subject: mark, text: mark, messageId }, {}]);
  const [draftId = ''] = await workspace.ingest(mailbox.id, [{ folderType: 'DRAFTS', subject: mark }]);
  const { id: signatureId } = await stack.workspaces.createSignature(
    { workspaceId: workspace.id, name: mark, html: `<p>${mark}</p>`, isDefault: false, mailboxId: undefined },
    {},
  );
  const labelId = (await write.post('/labels', { name: mark, color: mark })).body.label.id;
  await write.post(`/emails/${emailId}/labels/${labelId}`);
  const view = { name: mark, filters: { id: mark, label: 'label', type: 'contains', value: labelId } };
  const rule = { name: `${mark} rule`, color: mark, condition: mark };
  const forwarding = { conditionField: 'subject_equals', conditionValue: mark, forwardTo: `${mark}@b.example` };
  const forwardRuleId = (await send.post('/auto-forward-rules', forwarding)).body.rule.id;
  const attempt = { ruleId: forwardRuleId, emailId, forwardTo: forwarding.forwardTo, mode: 'normal', attempts: 1 };
  await stack.labelRule.recordForward({ ...attempt, status: 'failed', reason: mark }, { workspaceId: workspace.id });
  // It is paused, so that nothing is delivered beside the test.
  const endpoint = { url: 'https://hooks.example.com/', events: ['mailbox.sync_failed'], description: mark };
  const webhookId = (await write.post('/webhooks', endpoint)).body.webhook.id;
  await write.patch(`/webhooks/${webhookId}`, { status: 'paused' });
  return {
    mailboxId: mailbox.id,
    emailId,
    draftId,
    labelId,
    messageId,
    signatureId,
    viewId: (await write.post('/views', view)).body.view.id,
    filterId: (await write.post('/filters', { type: 'label', value: labelId })).body.filter.id,
    aiRuleId: (await write.post('/ai-label-rules', rule)).body.rule.id,
    forwardRuleId,
    threadId: (await read.get(`/emails/${emailId}`)).body.email.threadId as string,
    webhookId,
    deliveryId: await storeDelivery(stack, workspace.id, webhookId, { _id: `dlv_${workspace.id.slice(4)}` }),
    cursor: (await read.get('/emails?limit=1')).body.nextCursor,
  };
}

/** These are written every few seconds, of earlier calls. */
const COUNTED_LATER = new Set(['monthFloors', 'callCounts', 'keyUses', 'limitReadings']);

/** All that is stored of a workspace, as it stands in the database. */
export async function storedOf({ collections }: TestStack, workspaceId: string): Promise<unknown> {
  const found = await Promise.all(
    Object.entries(collections).map(async ([name, model]) => {
      if (COUNTED_LATER.has(name)) return [name, []] as const;
      const mine: object = name === 'workspaces' ? { _id: workspaceId } : { workspaceId };
      return [name, await model.collection.find(mine).sort({ _id: 1 }).toArray()] as const;
    }),
  );
  return Object.fromEntries(found.filter(([, documents]) => documents.length > 0));
}
