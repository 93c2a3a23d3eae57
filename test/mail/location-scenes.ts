import type { FolderName, MailboxAtProvider } from './mailbox-world.ts';
import type { MailProcess } from './mail-process.ts';

/** The UIDs that each folder has at the provider in the end. */
export type Truth = Partial<Record<FolderName, number[]>>;
type Act = (mailbox: MailboxAtProvider, emailId: string, process: MailProcess) => Promise<unknown>;

/** Acts on one email that run at the same time, or of which a process dies in one. */
export interface Scene {
  name: string;
  /** Returns the id of the scene's email. */
  before(mailbox: MailboxAtProvider): Promise<string>;
  acts: Act[];
  truth: Truth;
  /** For each email: whether it is the scene's email, its location, and its pending provider changes. */
  end: Ending[];
  /** A provider change that may stay pending, depending on the order, although the provider has applied it. */
  mayBePending?: string;
  /** The events that no order and no death may lose. */
  told?: string[];
}

export interface Ending {
  isIt: boolean;
  folder: string;
  uid: number | undefined;
  isRead?: boolean;
  pending: string[];
}

export const own = { from: 'Bob <bob@example.com>', to: 'Ann <ann@sender.example>', messageId: '<ours@example.com>' };

async function known(mailbox: MailboxAtProvider): Promise<string> {
  const [stored] = await mailbox.arrive({ uid: 1 });
  await mailbox.publish();
  return stored?.emailId ?? '';
}

async function drafted(mailbox: MailboxAtProvider): Promise<string> {
  return (await mailbox.make({ ...own, folderType: 'DRAFTS' })).id;
}

const pendingId = async (mailbox: MailboxAtProvider, name: 'isRead' | 'folderId' | 'append') =>
  (await mailbox.emails())[0]?.providerChanges[name]?.id ?? '';

export const scenes: Scene[] = [
  {
    name: 'a move is seen from both of its ends',
    before: known,
    acts: [
      (mailbox, _, process) => mailbox.arrive({ folder: 'archive', uid: 7 }, process),
      (mailbox, _, process) => mailbox.gone('inbox', 1, process),
    ],
    truth: { archive: [7] },
    end: [{ isIt: true, folder: 'archive', uid: 7, isRead: false, pending: [] }],
  },
  {
    name: 'two processes that both hold the mailbox take in the same message',
    before: known,
    acts: [
      (mailbox, _, process) => mailbox.arrive({ folder: 'archive', uid: 7 }, process),
      (mailbox, _, process) => mailbox.arrive({ folder: 'archive', uid: 7 }, process),
    ],
    truth: { archive: [7] },
    end: [{ isIt: true, folder: 'archive', uid: 7, isRead: false, pending: [] }],
  },
  {
    name: 'it is read here while its provider still says that it is not',
    before: known,
    acts: [
      (mailbox, emailId, process) => mailbox.update(emailId, { isRead: true }, process),
      (mailbox, _, process) => mailbox.state('inbox', { uid: 1, isStarred: true }, { process }),
    ],
    truth: { inbox: [1] },
    end: [{ isIt: true, folder: 'inbox', uid: 1, isRead: true, pending: ['isRead:true'] }],
  },
  {
    name: 'it is marked again while the provider confirms the mark before',
    before: async (mailbox) => {
      const emailId = await known(mailbox);
      await mailbox.update(emailId, { isRead: true });
      mailbox.noted.push(await pendingId(mailbox, 'isRead'));
      return emailId;
    },
    acts: [
      (mailbox, emailId, process) => mailbox.update(emailId, { isRead: false }, process),
      (mailbox, emailId, process) => mailbox.complete([{ emailId, changeIds: mailbox.noted }], process),
    ],
    truth: { inbox: [1] },
    end: [{ isIt: true, folder: 'inbox', uid: 1, isRead: false, pending: ['isRead:false'] }],
  },
  {
    name: 'its copy in the trash is seen while the provider confirms that it was moved there',
    before: async (mailbox) => {
      const emailId = await known(mailbox);
      await mailbox.trash(emailId);
      mailbox.noted.push(await pendingId(mailbox, 'folderId'));
      return emailId;
    },
    acts: [
      (mailbox, _, process) => mailbox.arrive({ folder: 'trash', uid: 3 }, process),
      (mailbox, emailId, process) => {
        const location = { folderId: 'trash', uidValidity: 1, uid: 3 };
        return mailbox.complete([{ emailId, changeIds: mailbox.noted, location }], process);
      },
    ],
    truth: { trash: [3] },
    mayBePending: 'remove:inbox',
    end: [{ isIt: true, folder: 'trash', uid: 3, isRead: false, pending: [] }],
  },
  {
    name: 'a draft is sent while its provider says where it has put it',
    before: async (mailbox) => {
      const draftId = await drafted(mailbox);
      mailbox.noted.push(await pendingId(mailbox, 'append'));
      return draftId;
    },
    acts: [
      (mailbox, draftId, process) =>
        mailbox.make(
          { ...own, folderType: 'SENT', draftId, announcesDraftSent: true, operationId: 'opn_send' },
          process,
        ),
      (mailbox, emailId, process) => {
        const location = { folderId: 'drafts', uidValidity: 1, uid: 2 };
        return mailbox.complete([{ emailId, changeIds: mailbox.noted, location }], process);
      },
    ],
    truth: { drafts: [2] },
    end: [{ isIt: true, folder: 'sent', uid: undefined, isRead: true, pending: ['append:sent', 'remove:drafts'] }],
    told: ['draft.sent'],
  },
  {
    name: 'a draft is sent while its provider files what it sends by itself',
    before: drafted,
    acts: [
      (mailbox, draftId, process) =>
        mailbox.make(
          { ...own, folderType: 'SENT', draftId, announcesDraftSent: true, operationId: 'opn_send' },
          process,
        ),
      (mailbox, _, process) => mailbox.arrive({ folder: 'sent', uid: 8, isRead: true, ...own }, process),
    ],
    truth: { sent: [8] },
    end: [{ isIt: true, folder: 'sent', uid: 8, isRead: true, pending: [] }],
    told: ['draft.sent'],
  },
  {
    name: 'a draft is edited elsewhere',
    before: async (mailbox) => {
      const draftId = await drafted(mailbox);
      await mailbox.arrive({ folder: 'drafts', uid: 2, isRead: true, ...own });
      return draftId;
    },
    acts: [
      (mailbox, _, process) =>
        mailbox.arrive({ folder: 'drafts', uid: 3, isRead: true, ...own, text: 'other' }, process),
      (mailbox, _, process) => mailbox.gone('drafts', 2, process),
    ],
    truth: { drafts: [3] },
    end: [{ isIt: true, folder: 'drafts', uid: 3, isRead: true, pending: [] }],
  },
  {
    name: 'it turns up when it is about to be removed',
    before: async (mailbox) => {
      const emailId = await known(mailbox);
      await mailbox.gone('inbox', 1);
      await mailbox.finishPasses(1);
      return emailId;
    },
    acts: [
      (mailbox, _, process) => mailbox.arrive({ folder: 'archive', uid: 7, isHistory: true }, process),
      (mailbox, _, process) => mailbox.finishPasses(1, process),
    ],
    truth: { archive: [7] },
    // If the removal is first, the arrival is stored as a new email. So `isIt` depends on the order.
    end: [{ isIt: true, folder: 'archive', uid: 7, isRead: false, pending: [] }],
  },
];
