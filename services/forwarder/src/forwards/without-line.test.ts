import { expect, it } from '@jest/globals';
import type { AutoForwardRuleDocument } from '@postroom/mail-store/documents/label';
import type { SweepStore } from './sweep-store.ts';
import { withoutLine } from './without-line.ts';

it('asks for five thousand lines at once, where each of two hundred rules applies to each of five hundred emails', async () => {
  const workspaceId = 'wsp_1';
  const condition = { conditionField: 'subject_contains', conditionValue: 'a' };
  const rules = Array.from({ length: 200 }, (_, n) => ({ _id: `afr_${n}`, ...condition }) as AutoForwardRuleDocument);
  const ids = Array.from({ length: 500 }, (_, n) => `eml_${n}`);
  const asked: number[] = [];
  const email = { workspaceId, senderAddress: 'b@far.example', subject: 'A bill', folderType: 'INBOX' as const };
  const store: Pick<SweepStore, 'everyWorkspacesEmails' | 'everyWorkspacesAiLabels' | 'everyWorkspacesLogged'> = {
    everyWorkspacesEmails: async (_workspaceIds, found) => found.map((_id) => ({ ...email, _id, isAutomatic: false })),
    everyWorkspacesAiLabels: async () => [],
    everyWorkspacesLogged: async (_workspaceIds, lineIds) => {
      asked.push(lineIds.length);
      return new Set();
    },
  };
  const swept = ids.map((emailId) => ({ workspaceId, emailId, labelIds: [], rules }));
  expect(await withoutLine(store, swept)).toEqual(new Set(ids));
  expect(asked).toEqual(Array.from({ length: 20 }, () => 5_000));
});
