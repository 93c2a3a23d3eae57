import { beforeAll, describe, expect, it } from '@jest/globals';
import { whenDatabaseHas } from '../engines/support/mongo.ts';
import { storeAiLabel } from '../support/ai-label.ts';
import { mineAndTheirs } from '../support/emails.ts';
import { useStack } from '../support/use-stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

interface LabelRef {
  id: string;
  name: string;
  color: string;
  isAiLabel: boolean;
}

const stack = useStack();
let mine: TestWorkspace;
let theirs: TestWorkspace;
let emailIds: string[];
let foreignId: string;
let [red, blue]: LabelRef[] = [];
let foreignLabelId: string;

beforeAll(async () => {
  ({ mine, theirs, emailIds, foreignId } = await mineAndTheirs(stack, 6));
  [red, blue] = [await createLabel(mine, 'Red one'), await createLabel(mine, 'Blue one')];
  foreignLabelId = (await createLabel(theirs, 'Theirs')).id;
});

async function createLabel(workspace: TestWorkspace, name: string): Promise<LabelRef> {
  const { createdAt: _createdAt, ...ref } = (await workspace.write.post('/labels', { name, color: 'Red' })).body.label;
  return ref;
}

const next = () => emailIds.pop() ?? '';
const tagsOf = async (id: string) =>
  (await mine.read.get('/emails?limit=200')).body.items.find((email: { id: string }) => email.id === id).tags;

describe('POST /emails/{emailId}/labels/{labelId}', () => {
  whenDatabaseHas('projections')('200 with the labels the email now has, which its listing shows as tags', async () => {
    const id = next();
    const first = await mine.write.post(`/emails/${id}/labels/${red?.id}`);
    expect([first.status, first.body]).toEqual([200, { labels: [red] }]);
    const second = await mine.write.post(`/emails/${id}/labels/${blue?.id}`);
    expect(second.body).toEqual({ labels: [red, blue] });
    expect(await tagsOf(id)).toEqual([red, blue]);
  });

  whenDatabaseHas('projections')('200 again without adding it twice', async () => {
    const id = next();
    await mine.write.post(`/emails/${id}/labels/${red?.id}`);
    const again = await mine.write.post(`/emails/${id}/labels/${red?.id}`);
    expect([again.status, again.body]).toEqual([200, { labels: [red] }]);
  });

  whenDatabaseHas('projections')('200 for an AI label', async () => {
    const id = next();
    const labelId = await storeAiLabel(stack, mine.id, 'Clever');
    const { status, body } = await mine.write.post(`/emails/${id}/labels/${labelId}`);
    expect([status, body]).toEqual([
      200,
      { labels: [{ id: labelId, name: 'Clever', color: 'Pink', isAiLabel: true }] },
    ]);
    expect((await mine.write.delete(`/emails/${id}/labels/${labelId}`)).body).toEqual({ labels: [] });
  });
});

describe('DELETE /emails/{emailId}/labels/{labelId}', () => {
  whenDatabaseHas('projections')('200 with the labels left, and the same when it was absent', async () => {
    const id = next();
    await mine.write.post(`/emails/${id}/labels/${red?.id}`);
    await mine.write.post(`/emails/${id}/labels/${blue?.id}`);
    for (let time = 0; time < 2; time += 1) {
      const answer = await mine.write.delete(`/emails/${id}/labels/${red?.id}`);
      expect([answer.status, answer.body]).toEqual([200, { labels: [blue] }]);
    }
    expect(await tagsOf(id)).toEqual([blue]);
  });
});

describe.each([
  ['POST /emails/{emailId}/labels/{labelId}', 'post'],
  ['DELETE /emails/{emailId}/labels/{labelId}', 'delete'],
] as const)('%s', (_endpoint, method) => {
  it('404 EMAIL_NOT_FOUND for an unknown email and the same bytes for a foreign one, whatever the label', async () => {
    const unknown = await mine.write[method](`/emails/eml_unknown/labels/${red?.id}`);
    expect(unknown).toMatchObject({ status: 404, body: { code: 'EMAIL_NOT_FOUND' } });
    for (const labelId of [red?.id, foreignLabelId, 'lbl_unknown']) {
      expect((await mine.write[method](`/emails/${foreignId}/labels/${labelId}`)).body).toEqual(unknown.body);
    }
  });

  it('404 LABEL_NOT_FOUND for an unknown, a foreign and a deleted label, in the same bytes', async () => {
    const id = emailIds[0];
    const { id: deletedId } = await createLabel(mine, `Soon gone ${method}`);
    await mine.write.delete(`/labels/${deletedId}`);
    const unknown = await mine.write[method](`/emails/${id}/labels/lbl_unknown`);
    expect(unknown).toMatchObject({ status: 404, body: { code: 'LABEL_NOT_FOUND' } });
    for (const labelId of [foreignLabelId, deletedId]) {
      expect((await mine.write[method](`/emails/${id}/labels/${labelId}`)).body).toEqual(unknown.body);
    }
  });

  it('403 INSUFFICIENT_SCOPE with a key that only reads', async () => {
    expect((await mine.read[method](`/emails/${emailIds[0]}/labels/${red?.id}`)).body.code).toBe('INSUFFICIENT_SCOPE');
  });
});
