import type { Scope } from '@postroom/contract/lists';
import type { SendingLevel } from '@postroom/contract/sending-levels';
import { escapeHtml, page } from './html.ts';

interface ConsentQuestion {
  /** The path that the form is sent to. */
  action: string;
  clientName: string;
  /** The host that the client returns to, or the words for a program on this computer. */
  returnsTo: string;
  scopes: readonly Scope[];
  personEmail: string;
  workspaces: readonly { id: string; name: string; levels: readonly SendingLevel[] }[];
  nonce: string;
}

const LEVELS: Readonly<Record<SendingLevel, readonly [label: string, meaning: string]>> = {
  read: ['Read only', 'It reads mail, labels and drafts. It changes nothing and sends nothing.'],
  drafts: ['Prepare drafts', 'It also labels and sorts mail and writes drafts. It sends nothing: a person does.'],
  approve: ['Send after approval', 'Each message waits until a person has read and approved it.'],
  reply: ['Answer by itself', 'It sends by itself, and only to people who take part in the thread already.'],
  send: ['Send by itself', 'It sends to anybody by itself. A mail that it reads may talk it into sending something.'],
};

/** A plain form: it works without scripts, and nothing of another site is on it. */
export function consentPage({
  action,
  clientName,
  returnsTo,
  scopes,
  personEmail,
  workspaces,
  nonce,
}: ConsentQuestion) {
  const name = escapeHtml(clientName);
  const most = workspaces.flatMap(({ levels }) => levels);
  const offered = scopes.includes('write') ? [...new Set(most)] : [];
  return page(
    `Let ${clientName} in?`,
    `<h1>Let <strong>${name}</strong> read your mail?</h1>
<p>You are signed in as <strong>${escapeHtml(personEmail)}</strong>. After your answer you return to <strong>${escapeHtml(returnsTo)}</strong>. Say no if you did not begin this there.</p>
<form method="post" action="${escapeHtml(action)}">
${workspaceFields(workspaces)}
${offered.length > 0 ? levelFields(offered) : '<p>It may read mail, labels and drafts. It can change nothing and send nothing.</p>'}
<p class="answers"><button name="decision" value="allow">Allow</button> <button name="decision" value="deny">Deny</button></p>
</form>
<p>You can end this at any time on the page People of Postroom.</p>`,
    nonce,
  );
}

function workspaceFields(workspaces: ConsentQuestion['workspaces']): string {
  const [only, ...others] = workspaces;
  if (only && others.length === 0) {
    const { id, name } = only;
    return `<input type="hidden" name="workspace" value="${escapeHtml(id)}"><p>Workspace: <strong>${escapeHtml(name)}</strong></p>`;
  }
  const options = workspaces.map(({ id, name }) => `<option value="${escapeHtml(id)}">${escapeHtml(name)}</option>`);
  return `<p><label for="workspace">Workspace</label> <select id="workspace" name="workspace">${options.join('')}</select></p>`;
}

function levelFields(levels: readonly SendingLevel[]): string {
  const rows = levels.map((level) => {
    const [label, meaning] = LEVELS[level];
    const checked = level === 'drafts' ? ' checked' : '';
    return `<p><input type="radio" id="level-${level}" name="level" value="${level}"${checked} aria-describedby="about-${level}"> <label for="level-${level}">${label}</label><br><span id="about-${level}">${meaning}</span></p>`;
  });
  return `<fieldset><legend>What may it do?</legend>${rows.join('\n')}</fieldset>`;
}
