import { type Preset, PRESETS, providers } from '@postroom/mail-server/presets';
import type { ConsentProvider } from '@postroom/proto/postroom/v1/workspace';
import type { ConsentOffer, ProviderAnswer } from '../answers/answers.ts';
import { defineAppRoute } from './route.ts';

const APP_PASSWORD = 'Make an app password in your account there; your own password is refused.';

/** A person needs to know this before they type their password. */
const notes: Readonly<Record<Preset, string>> = {
  gmail: `${APP_PASSWORD} Two-step verification must be on.`,
  microsoft365: 'A password works only where the organization allows passwords for IMAP and SMTP.',
  icloud: APP_PASSWORD,
  yahoo: APP_PASSWORD,
  fastmail: APP_PASSWORD,
  gmx: 'Switch on IMAP in the settings there first.',
};

export const providerAppRoutes = [
  defineAppRoute({
    method: 'GET',
    path: '/providers',
    needs: 'person',
    call: async (_input, { workspaces }, visit) => {
      const { items } = await workspaces.listConsentProviders({}, visit);
      return {
        items: PRESETS.map((id): ProviderAnswer => {
          const { name, imap, smtp } = providers[id];
          return { id, name, imap, smtp, note: notes[id], consent: offerOf(items.find((one) => one.id === id)) };
        }),
      };
    },
  }),
];

function offerOf(provider: ConsentProvider | undefined): ConsentOffer | null {
  return provider ? { name: provider.name, isConfigured: provider.isConfigured } : null;
}
