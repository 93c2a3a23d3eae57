import { ApiError } from '@postroom/errors/api-error';
import { carriedImageBounds } from '@postroom/mime/image-type';
import { z } from 'zod';
import { type CarriedImages, carriedIdsIn, framePage } from '../frame/frame-page.ts';
import { readableBody } from './email-body.ts';
import { defineAppRoute, type FrameAnswer, type WorkspaceVisit } from './route.ts';
import type { AppServices } from './services.ts';

/** The text of an email does not wait longer for its pictures, which come from the mail server of the mailbox. */
const IMAGES_MS = 6_000;
/** As bytes, as base64, in the page, and as the bytes of the page. */
const COPIES = 5;
const NONE: CarriedImages = new Map();

export const frameAppRoutes = [
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/emails/{emailId}/frame',
    needs: 'member',
    query: z.object({ images: z.enum(['once']).optional() }),
    call: async ({ params: { emailId }, query }, services, visit): Promise<FrameAnswer> => {
      const { images = 'off' } = query;
      const html = (await readableBody(emailId, services, visit)).body?.html ?? '';
      const contentIds = carriedIdsIn(html).slice(0, carriedImageBounds.count);
      if (contentIds.length === 0) return { weight: 0, frame: async () => framePage(html, images, NONE) };
      const { attachments } = await services.mailboxRead.getEmail({ emailId }, visit);
      const attached = attachments.reduce((sum, { size }) => sum + size, 0);
      return {
        weight: COPIES * Math.min(attached, carriedImageBounds.bytes),
        frame: async (signal) =>
          framePage(html, images, await carriedImages({ emailId, contentIds }, services, { ...visit, signal })),
      };
    },
  }),
];

/** Without them the text is still worth reading: their alternative texts stand in their places. */
async function carriedImages(
  asked: { emailId: string; contentIds: string[] },
  { mailboxRead }: AppServices,
  visit: WorkspaceVisit,
): Promise<CarriedImages> {
  try {
    const { items } = await mailboxRead.getCarriedImages(asked, { ...visit, deadline: visit.now + IMAGES_MS });
    return new Map(
      items.map(({ contentId, mimeType, content }) => [
        contentId,
        `data:${mimeType};base64,${Buffer.from(content).toString('base64')}`,
      ]),
    );
  } catch (error) {
    if (error instanceof ApiError) return NONE;
    throw error;
  }
}
