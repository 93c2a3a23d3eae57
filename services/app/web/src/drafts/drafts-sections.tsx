import type { ReactNode } from 'react';
import type { DraftRowAnswer, ListOf } from '@postroom/app/answers';
import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { useWorkspacePath } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Answer } from '../parts/answer.tsx';
import { useDeferred } from '../parts/deferred.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { FaultNote } from '../parts/fault-note.tsx';
import { Section } from '../parts/page.tsx';
import { DraftItem } from './draft-item.tsx';
import { useDraftActs, type DraftActs } from './use-draft-acts.ts';
import classes from './drafts.module.css';

const LIVE_MS = 10_000;
const WITH_REPLIES_MS = 5_000;

const isReply = ({ sendAt, isLeaving }: DraftRowAnswer): boolean => sendAt !== null || isLeaving;

interface Props {
  /** The drafts that an agent asks to send. They stand in the list above. */
  askedFor: ReadonlySet<string>;
}

/** Replies of rules that leave by themselves, and the drafts that wait for a person. */
export function DraftsSections({ askedFor }: Props) {
  const answer = useAnswer<ListOf<DraftRowAnswer>>(useWorkspacePath()('/drafts'), {
    everyMs: (found) => (found?.items.some(isReply) ? WITH_REPLIES_MS : LIVE_MS),
  });
  const acts = useDraftActs();
  const deferred = useDeferred();
  return (
    <>
      <FaultNote error={acts.fault} />
      <Section title="Automatic replies" intro="They leave at their time. A canceled reply stays a draft.">
        <Answer of={answer} rows={3}>
          {({ items }) => (
            <Drafts
              label="Automatic replies"
              drafts={items.filter((draft) => isReply(draft) && !deferred.has(draft.id))}
              acts={acts}
              empty={
                <EmptyState
                  title="No reply waits"
                  text="An AI label rule with automatic replies waits some minutes before each one leaves."
                  action={
                    <Button component={Link} variant="default" href="/rules">
                      See rules
                    </Button>
                  }
                />
              }
            />
          )}
        </Answer>
      </Section>
      <Section title="Drafts" intro="They stay here until a person sends or discards them.">
        <Answer of={answer} rows={3}>
          {({ items }) => (
            <Drafts
              label="Drafts"
              drafts={items.filter((draft) => !isReply(draft) && !deferred.has(draft.id) && !askedFor.has(draft.id))}
              acts={acts}
              empty={<p className="soft">No draft waits.</p>}
            />
          )}
        </Answer>
        <p className={`soft ${classes.note}`}>
          These are among the 50 newest drafts. <Link href="/mail?folder=DRAFTS">Mail has all of them.</Link>
        </p>
      </Section>
    </>
  );
}

interface DraftsProps {
  label: string;
  drafts: readonly DraftRowAnswer[];
  acts: DraftActs;
  empty: ReactNode;
}

function Drafts({ label, drafts, acts, empty }: DraftsProps) {
  if (drafts.length === 0) return empty;
  return (
    <ul className={classes.drafts} aria-label={label}>
      {drafts.map((draft) => (
        <DraftItem key={draft.id} draft={draft} acts={acts} />
      ))}
    </ul>
  );
}
