import { Button } from '@mantine/core';
import type { AgentSendingAnswer, GrantAnswer, GrantListAnswer } from '@postroom/app/answers';
import { useIsAdmin, useWorkspacePath } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Answer } from '../parts/answer.tsx';
import { Badge } from '../parts/badge.tsx';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { useDeferred } from '../parts/deferred.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { Section } from '../parts/page.tsx';
import { removeLater } from '../parts/remove-later.ts';
import { Moment } from '../time/moment.tsx';
import { AgentSwitch } from './agent-switch.tsx';

const LEVEL_NAMES: Readonly<Record<GrantAnswer['level'], string>> = {
  read: 'Read only',
  drafts: 'Prepare drafts',
  approve: 'Send after approval',
  reply: 'Answer by itself',
  send: 'Send by itself',
};
const SENDING: readonly GrantAnswer['level'][] = ['approve', 'reply', 'send'];

/** The MCP clients that people have let in, and the switch that stops all of their mail. */
export function Clients() {
  const path = useWorkspacePath()('/grants');
  const answer = useAnswer<GrantListAnswer>(path);
  const isAdmin = useIsAdmin();
  const deferred = useDeferred();
  return (
    <Section
      title="MCP clients"
      intro="Agents that people have let in. A revoked one reads and sends nothing within a minute."
      actions={isAdmin && answer.data && <AgentSwitch sending={answer.data.sending} listPath={path} />}
    >
      <Answer of={answer} rows={2}>
        {({ items, sending }) => {
          const grants = items.filter(({ id }) => !deferred.has(id));
          return (
            <>
              <Stopped sending={sending} />
              {grants.length === 0 ? (
                <EmptyState
                  title="No MCP clients"
                  text="Add the address of the MCP server to a client, such as Claude or ChatGPT; it asks for access then."
                />
              ) : (
                <DataTable
                  label="MCP clients"
                  columns={columnsOf(path, sending)}
                  items={grants}
                  keyOf={({ id }) => id}
                />
              )}
            </>
          );
        }}
      </Answer>
    </Section>
  );
}

function Stopped({ sending: { isStopped, stoppedAt, stoppedBy } }: { sending: AgentSendingAnswer }) {
  if (!isStopped) return null;
  return (
    <p className="row" style={{ marginBottom: 8 }}>
      <Badge tone="bad">All sending by agents is stopped</Badge>
      <span className="soft">
        by {stoppedBy ?? 'an operator'}, <Moment at={stoppedAt} />
      </span>
    </p>
  );
}

function columnsOf(path: string, { sendsPerDay }: AgentSendingAnswer): Column<GrantAnswer>[] {
  return [
    {
      name: 'Client',
      cell: ({ clientName, clientHost }) => (
        <span className="two">
          <strong>
            <bdi>{clientName}</bdi>
          </strong>
          <span className="soft">returns to {clientHost}</span>
        </span>
      ),
    },
    { name: 'Level', cell: ({ level }) => LEVEL_NAMES[level] },
    { name: 'Scopes', cell: ({ scopes }) => scopes.join(', ') },
    { name: 'Let in by', cell: ({ person }) => person.name },
    { name: 'Since', cell: ({ createdAt }) => <Moment at={createdAt} /> },
    { name: 'Last use', cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} /> },
    {
      name: 'Sent today',
      cell: ({ level, sendsToday }) =>
        SENDING.includes(level) || sendsToday > 0 ? `${sendsToday} of ${sendsPerDay}` : <span className="soft">–</span>,
    },
    {
      name: 'Actions',
      isNameless: true,
      isAtEnd: true,
      cell: ({ id, clientName }) => (
        <Button variant="default" data-row-key="#" onClick={() => removeLater(path, id, `${clientName} revoked`)}>
          Revoke
        </Button>
      ),
    },
  ];
}
