import { NEWEST_FIRST } from '@postroom/mail-store/indexes';
import { pageQuery } from '../../services/mailbox-read/src/pages/page-store.ts';
import type { BenchDatabase } from './bench-database.ts';
import { benchMailbox } from './mail.ts';

interface Explained {
  executionStats?: { totalKeysExamined?: number; totalDocsExamined?: number };
}

/** Keys and documents that the database looks at for one page: what a time alone does not tell. */
export async function examined(database: BenchDatabase, query: Record<string, unknown>): Promise<string> {
  try {
    const plan = (await database.collections.emails.collection
      .find(pageQuery(benchMailbox.workspaceId, query, { after: null }), { sort: NEWEST_FIRST, limit: 51 })
      .explain('executionStats')) as Explained;
    const { totalKeysExamined = '?', totalDocsExamined = '?' } = plan.executionStats ?? {};
    return `${totalKeysExamined} keys, ${totalDocsExamined} documents examined`;
  } catch {
    return 'this server does not explain';
  }
}
