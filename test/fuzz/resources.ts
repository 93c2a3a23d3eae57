import type { Answer, Json } from '../support/client.ts';
import { COLLECTIONS, expectSame, forgetLabel, newEmail, sorted, type Model } from './model.ts';
import type { Sent } from './send.ts';

/** Holds an answer about a label, a view, a filter or a rule against the reference, and lets the reference follow. */
export function followResource(model: Model, sent: Sent, { status, body }: Answer<Json>): void {
  const [, first = '', id = '', more] = sent.path.split('/');
  const [name, word] = COLLECTIONS[first as keyof typeof COLLECTIONS] ?? [];
  if (!name || more !== undefined || id === 'backfill') return;
  // It is what the filter should aim at that is not there.
  if (first === 'filters' && body?.code === 'LABEL_NOT_FOUND') return;
  const known = model[name] as Map<string, Json>;
  if (sent.template.includes('{')) followOne(model, known, sent, status, body?.[word]);
  else if (sent.method === 'GET') {
    if (status === 200)
      expectSame(
        `all of /${first}`,
        Object.fromEntries(body.items.map((item: Json) => [item.id, item])),
        Object.fromEntries(withLabels(model, known)),
      );
  } else if (status === 201) {
    const made = body[word];
    expectSame('an id is given once', known.has(made.id), false);
    known.set(made.id, made);
    if (made.label && first === 'ai-label-rules') learnLabel(model, made);
  }
}

function followOne(
  model: Model,
  known: Map<string, Json>,
  { method, parameters }: Sent,
  status: number,
  found: Json,
): void {
  const id = Object.values(parameters)[0] ?? '';
  if (status === 404) return expectSame(`404 for ${id}, which is known`, known.has(id), false);
  if (status >= 300) return;
  expectSame(`${status} for ${id}, which is not known`, known.has(id), true);
  if (method === 'DELETE') return forget(model, known, id);
  const before = withLabels(model, known).get(id);
  if (method === 'GET') return expectSame(id, found, before);
  expectSame(`what names ${id}`, [found.id, found.createdAt], [id, before.createdAt]);
  known.set(id, found);
  if (found.condition !== undefined && found.label) learnLabel(model, found);
}

function forget(model: Model, known: Map<string, Json>, id: string): void {
  const { label, condition } = known.get(id);
  known.delete(id);
  if (known === model.labels) forgetLabel(model, id);
  // The label of an AI rule goes with it.
  else if (condition !== undefined && label) forgetLabel(model, label.id);
}

function learnLabel(model: Model, { label, createdAt }: Json): void {
  model.labels.set(label.id, { ...label, createdAt: model.labels.get(label.id)?.createdAt ?? createdAt });
}

/** A filter shows the label it aims at as the label is now. */
function withLabels(model: Model, known: Map<string, Json>): Map<string, Json> {
  if (known !== model.filters) return known;
  const shown = [...known].map(([id, filter]): [string, Json] => {
    const label = filter.type === 'label' ? model.labels.get(filter.value) : undefined;
    const { createdAt: _when, ...ref } = label ?? {};
    return [id, { ...filter, label: label ? ref : null }];
  });
  return new Map(shown);
}

/** The same for emails and drafts, one at a time. */
export function followEmail(model: Model, sent: Sent, { status, body }: Answer<Json>): void {
  const { operationId, parameters } = sent;
  const email = model.emails.get(parameters['emailId'] ?? '');
  if (operationId === 'createDraft' && status === 201) {
    model.emails.set(body.draft.id, newEmail(body.draft));
    model.drafts.add(body.draft.id);
  }
  if (operationId === 'sendEmail' && status === 200) model.emails.set(body.email.id, newEmail(body.email));
  if (parameters['emailId'] === undefined) return;
  if (status === 404 && body.code !== 'LABEL_NOT_FOUND')
    return expectSame('404 for an email that is known', email, undefined);
  if (status >= 300 || !email)
    return expectSame('success for an email that is not known', status < 300 && !email, false);
  const change = sent.body as Json;
  if (operationId === 'updateEmail') Object.assign(email, picked(change));
  if (operationId === 'deleteEmail') email.isInTrash = true;
  if (operationId === 'applyLabel') give(model, email.labels, parameters['labelId'] ?? '');
  if (operationId === 'removeLabel') email.labels.delete(parameters['labelId'] ?? '');
  if (body?.email) expectSame('the email', [body.email.isRead, body.email.isStarred], [email.isRead, email.isStarred]);
  if (body?.labels) expectSame('its labels', sorted(manual(body.labels)), sorted(email.labels));
}

const picked = ({ isRead, isStarred }: Json) => ({
  ...(isRead !== undefined && { isRead }),
  ...(isStarred !== undefined && { isStarred }),
});
export const manual = (labels: Json[]): string[] => labels.filter(({ isAiLabel }) => !isAiLabel).map(({ id }) => id);

function give(model: Model, labels: Set<string>, labelId: string): void {
  if (model.labels.get(labelId)?.isAiLabel === false) labels.add(labelId);
}

/** A bulk call says of each id what became of it: so does the reference, beforehand. */
export function followBulk(model: Model, { operationId, body: asked }: Sent, { status, body }: Answer<Json>): void {
  if (operationId !== 'bulkEmails' || status !== 200) return;
  const { action, emailIds, isRead, labelId } = asked as Json;
  const ids: string[] = [...new Set<string>(emailIds)];
  const known = ids.filter((id) => model.emails.has(id));
  const where = (test: (email: NonNullable<ReturnType<Model['emails']['get']>>) => boolean) =>
    known.filter((id) => test(model.emails.get(id) as never));
  const skippedIds = ids.filter((id) => !model.emails.has(id));
  const inOrder = (result: Json) =>
    Object.fromEntries(
      Object.entries(result).map(([name, value]) => [name, Array.isArray(value) ? sorted(value) : value]),
    );
  const expected = {
    markRead: () => ({
      updatedIds: where((each) => each.isRead !== isRead),
      unchangedIds: where((each) => each.isRead === isRead),
      skippedIds,
      isRead,
    }),
    delete: () => ({
      deletedIds: where((each) => !each.isInTrash),
      skippedIds: [...skippedIds, ...where((each) => each.isInTrash)],
      noTrashIds: [],
    }),
    applyLabel: () => ({
      labelId,
      emailIds: known,
      skippedIds,
      updatedCount: where(({ labels }) => !labels.has(labelId)).length,
    }),
    removeLabel: () => ({
      labelId,
      emailIds: known,
      skippedIds,
      updatedCount: where(({ labels }) => labels.has(labelId)).length,
    }),
  }[action as 'delete']();
  expectSame(`the result of ${action}`, inOrder(body), inOrder(expected));
  for (const email of known.map((id) => model.emails.get(id)!)) {
    if (action === 'markRead') email.isRead = isRead;
    if (action === 'delete') email.isInTrash = true;
    if (action === 'applyLabel') email.labels.add(labelId);
    if (action === 'removeLabel') email.labels.delete(labelId);
  }
}
