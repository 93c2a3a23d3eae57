/** The package comes without types; this much of it is used. */
declare module 'postal-mime' {
  export interface Address {
    name: string;
    address?: string;
    group?: Address[];
  }

  export interface Email {
    subject?: string;
    from?: Address;
    to?: Address[];
    date?: string;
    text?: string;
    attachments: { filename: string | null; mimeType: string; content: Uint8Array | ArrayBuffer | string }[];
  }

  export function addressParser(field: string): Address[];

  const PostalMime: { parse(raw: Uint8Array): Promise<Email> };
  export default PostalMime;
}
