/** Begins the reason of a recipient whose own server took the message, and sent it back later. */
export const BOUNCED = 'came back: ';
