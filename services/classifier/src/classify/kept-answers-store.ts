import type { Reads } from '@postroom/mail-store/access';
import type { ClassificationDocument } from '@postroom/mail-store/documents/classification';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';
import type { RecordClassificationRequest } from '@postroom/proto/postroom/v1/mailbox_write';

/** The answers of the model about an email, by which it is answered and labelled however often that is tried. */
export type KeptAnswers = Pick<RecordClassificationRequest, 'verdicts' | 'reply'> &
  Partial<Pick<RecordClassificationRequest, 'model' | 'areKept'>>;

export type KeptAnswersStore = ReturnType<typeof createKeptAnswersStore>;

const FIELDS = { verdicts: 1, model: 1, reply: 1, isBackfill: 1 } as const;
type Stored = Pick<ClassificationDocument, 'verdicts' | 'model' | 'reply' | 'isBackfill'>;

export function createKeptAnswersStore({ classifications }: Reads<'classifications'>) {
  return {
    /** Those of a backfill answer nobody. */
    async find(workspaceId: string, emailId: string): Promise<KeptAnswers | undefined> {
      const kept = await classifications
        .findOne({ _id: emailId, workspaceId, isBackfill: false }, FIELDS, QUERY_LIMIT)
        .lean<Stored | null>();
      if (!kept) return undefined;
      const verdicts = kept.verdicts.map(({ ruleUpdatedAt, ...verdict }) => {
        return { ...verdict, ruleUpdatedAt: ruleUpdatedAt?.toISOString() };
      });
      return { verdicts, model: kept.model, reply: kept.reply, areKept: true };
    },
  };
}
