import type { OpenedEmailAnswer, WhyAnswer } from '@postroom/app/answers';
import { Link } from 'wouter';
import { Badge } from '../parts/badge.tsx';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { LabelMark } from '../parts/label-mark.tsx';
import { Section } from '../parts/page.tsx';
import { Moment } from '../time/moment.tsx';
import { Effects } from './effects.tsx';
import { FOLDER_NAMES } from './mail-words.ts';

type Decided = NonNullable<WhyAnswer['decided']>;

interface Props {
  emailId: string;
  why: WhyAnswer;
  folderType: OpenedEmailAnswer['folderType'];
}

/** The decision of each rule, and what keeps the email out of the inbox. */
export function WhyPanel({ emailId, why: { decided, hiddenBy, effects }, folderType }: Props) {
  return (
    <>
      <Section title="Why is this here?" intro={standingText(folderType, hiddenBy)}>
        {decided === null || decided.rules.length === 0 ? (
          <p className="soft">No AI rule has decided about this email.</p>
        ) : (
          <>
            <DataTable label="Decisions" columns={COLUMNS} items={decided.rules} keyOf={({ ruleId }) => ruleId} />
            <p className="soft">
              Decided by {decided.model}
              {decided.isBackfill && ', in a backfill'}, <Moment at={decided.decidedAt} />
            </p>
          </>
        )}
      </Section>
      <Effects emailId={emailId} effects={effects} />
    </>
  );
}

const COLUMNS: readonly Column<Decided['rules'][number]>[] = [
  {
    name: 'Rule',
    cell: ({ ruleId, label }) =>
      label ? (
        <Link href={`/rules/${ruleId}`}>
          <LabelMark label={label} />
        </Link>
      ) : (
        <span className="soft">Deleted</span>
      ),
  },
  {
    name: 'Verdict',
    isTight: true,
    cell: ({ applies }) => <Badge tone={applies ? 'good' : 'quiet'}>{applies ? 'Applies' : 'Does not apply'}</Badge>,
  },
  { name: 'Confidence', cell: ({ confidence }) => `${confidence}%`, isAtEnd: true, isTight: true },
  { name: 'Reason', cell: ({ reason }) => reason },
];

const CAUSES: Readonly<Record<WhyAnswer['hiddenBy'][number]['type'], string>> = {
  sender: 'the filter for the sender',
  domain: 'the filter for the domain',
  subject: 'the filter for the subject',
  label: 'the filter for the label',
  ai_label: 'the AI rule with the label',
};

function standingText(folderType: Props['folderType'], hiddenBy: WhyAnswer['hiddenBy']): string {
  if (hiddenBy.length > 0) {
    const causes = hiddenBy.map(({ type, value }) => `${CAUSES[type]} “${value}”`);
    return `It is hidden from the inbox by ${causes.join(', and by ')}.`;
  }
  if (folderType === 'INBOX') return 'It stands in the inbox: no filter and no rule hides it.';
  return folderType ? `It stands in the folder ${FOLDER_NAMES[folderType]}.` : 'It stands in a folder of its provider.';
}
