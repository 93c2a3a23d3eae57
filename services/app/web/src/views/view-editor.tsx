import { useState, type FormEvent } from 'react';
import { Button, Checkbox, TextInput } from '@mantine/core';
import type { LabelAnswer, ListOf, MailboxAnswer, ViewAnswer } from '@postroom/app/answers';
import { bounds } from '@postroom/contract/bounds';
import { Link } from 'wouter';
import { fieldFault, isShownBeside } from '../api/fault.ts';
import { usePresent, useWorkspacePath } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { CurlButton } from '../parts/copy-text.tsx';
import { FaultNote } from '../parts/fault-note.tsx';
import { FilterGroup } from './filter-group.tsx';
import { fromFilters, toFilters, type BuilderGroup } from './filter-tree.ts';
import { newId } from './new-id.ts';
import classes from './views.module.css';

export interface ViewBody {
  name: string;
  icon: string | null;
  filters: unknown;
  mailboxIds: readonly string[];
}

interface Props {
  view: ViewAnswer | null;
  save(body: ViewBody): void;
  isBusy: boolean;
  fault: unknown;
}

export function ViewEditor({ view, save, isBusy, fault }: Props) {
  const [name, setName] = useState(view?.name ?? '');
  const [icon, setIcon] = useState(view?.icon ?? '');
  const [root, setRoot] = useState<BuilderGroup>(() => fromFilters(view?.filters, newId));
  const [mailboxIds, setMailboxIds] = useState<readonly string[]>(view?.mailboxIds ?? []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save({ name: name.trim(), icon: icon.trim() || null, filters: toFilters(root), mailboxIds });
  };
  return (
    <form className={classes.editor} onSubmit={submit}>
      {!isShownBeside(fault, ['name', 'icon', 'mailboxIds']) && <FaultNote error={fault} />}
      <div className={classes.names}>
        <TextInput
          label="Name"
          required
          withAsterisk={false}
          maxLength={bounds.viewName.max}
          autoFocus={view === null}
          value={name}
          error={fieldFault(fault, 'name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label="Icon"
          placeholder="An emoji"
          maxLength={bounds.viewIcon.max}
          value={icon}
          error={fieldFault(fault, 'icon')}
          onChange={(event) => setIcon(event.currentTarget.value)}
        />
      </div>
      <FilterBox root={root} change={setRoot} />
      <MailboxBoxes chosen={mailboxIds} choose={setMailboxIds} error={fieldFault(fault, 'mailboxIds')} />
      <div className="row">
        <Button type="submit" loading={isBusy}>
          Save
        </Button>
        <Button variant="default" component={Link} href="/views">
          Cancel
        </Button>
      </div>
    </form>
  );
}

function FilterBox({ root, change }: { root: BuilderGroup; change(root: BuilderGroup): void }) {
  const { apiUrl } = usePresent();
  const labels = useAnswer<ListOf<LabelAnswer>>(useWorkspacePath()('/labels')).data?.items ?? [];
  return (
    <section>
      <h2>Filter</h2>
      <FilterGroup root={root} group={root} level={1} change={change} labels={labels} />
      <p className={classes.try}>
        <CurlButton apiUrl={apiUrl} path={`/emails?filters=${encodeURIComponent(JSON.stringify(toFilters(root)))}`} />
        <span className="soft">The same filter by the API, without a view.</span>
      </p>
    </section>
  );
}

interface BoxesProps {
  chosen: readonly string[];
  choose(ids: readonly string[]): void;
  error: string | undefined;
}

function MailboxBoxes({ chosen, choose, error }: BoxesProps) {
  const answer = useAnswer<ListOf<MailboxAnswer>>(useWorkspacePath()('/mailboxes'));
  const mailboxes = answer.data?.items ?? [];
  if (mailboxes.length === 0) return null;
  return (
    <section>
      <h2 id="mailboxes-of-view">Mailboxes</h2>
      <p className="soft">
        {chosen.length === 0 ? 'None is chosen: the view shows all of them.' : 'The view shows these alone.'}
      </p>
      <Checkbox.Group aria-labelledby="mailboxes-of-view" value={[...chosen]} onChange={choose} error={error}>
        <div className={classes.boxes}>
          {mailboxes.map(({ id, email }) => (
            <Checkbox key={id} value={id} label={email} />
          ))}
        </div>
      </Checkbox.Group>
    </section>
  );
}
