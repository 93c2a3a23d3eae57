import { ApiError } from '@postroom/errors/api-error';
import { defineAppRoute, type FileAnswer } from './route.ts';

/** A large message takes a while to come from its mail server. */
const FETCH_MS = 60_000;
const POSITION = /^\d{1,4}$/;
/** As it comes from the service, and as it goes to the browser. */
const COPIES = 2;

export const attachmentAppRoutes = [
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/emails/{emailId}/attachments/{position}',
    needs: 'member',
    call: async ({ params: { emailId, position } }, { mailboxRead }, visit): Promise<FileAnswer> => {
      const { attachments } = await mailboxRead.getEmail({ emailId }, visit);
      const listed = POSITION.test(position) ? attachments[Number(position)] : undefined;
      if (!listed) throw new ApiError('NOT_FOUND');
      const asked = { emailId, position: Number(position) };
      return {
        fileName: listed.filename,
        weight: COPIES * listed.size,
        file: async (signal) => {
          const context = { ...visit, deadline: visit.now + FETCH_MS, signal };
          return (await mailboxRead.getAttachment(asked, context)).content;
        },
      };
    },
  }),
];
