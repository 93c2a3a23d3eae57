import { z } from 'zod';
import { asked } from './fields.ts';
import { idIn } from './rest-call.ts';
import { CHANGES, defineTool, READS, type Tool } from './tool.ts';

interface DraftSend {
  status: string;
  draftId: string;
  emailId: string | null;
  approvalId: string | null;
  expiresAt: string | null;
}

const outcome = z.object({
  status: z.string().meta({
    description:
      '`sent`; `waiting_for_approval`: a person decides in the app; `sending`: it leaves in a moment; `not_known`: the mail server did not say whether it took the message, which is not sent again.',
  }),
  draftId: z.string(),
  emailId: z.string().nullable().meta({ description: 'The sent email.' }),
  approvalId: z.string().nullable(),
  expiresAt: z.string().nullable().meta({ description: 'The end of the wait for approval.' }),
  message: z.string(),
});

const MESSAGES: Readonly<Record<string, string>> = {
  sent: 'The draft was sent.',
  waiting_for_approval:
    'Nothing was sent yet: a person has to approve it in the app. Tell the user; get_send shows what became of it.',
  sending: 'It leaves in a moment, or is on its way to the mail server; get_send shows what became of it.',
  not_known:
    'It is not known whether the draft was sent, and it is not sent again. Tell the user to look among the sent emails before anybody writes it anew.',
};

const show = (body: DraftSend) => ({ ...body, message: MESSAGES[body.status] ?? `The send is ${body.status}.` });

export const sendDraft: Tool = defineTool({
  name: 'send_draft',
  title: 'Send a draft',
  description:
    'Sends a stored draft as it is, by its id. The same draft is sent once, however often this is called: a repeat gives the first result. ' +
    'Read the draft to the user before you send it. Depending on what the user has allowed, a person approves it first, or it goes to participants of its conversation alone.',
  scope: 'write',
  permission: 'send',
  annotations: { ...CHANGES, openWorldHint: true },
  input: z.object({ draftId: asked.draftId }),
  output: outcome,
  call: (given) => ({ method: 'POST', path: `/drafts/${idIn(given, 'draftId')}/send` }),
  show,
});

export const getSend: Tool = defineTool({
  name: 'get_send',
  title: 'See what became of a sent draft',
  description: 'Says whether a draft that send_draft was called for was sent, or waits for a person.',
  scope: 'read',
  annotations: READS,
  input: z.object({ draftId: asked.draftId }),
  output: outcome,
  call: (given) => ({ method: 'GET', path: `/drafts/${idIn(given, 'draftId')}/send` }),
  show,
});
