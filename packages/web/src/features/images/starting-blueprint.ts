/** @module What a new image begins with: short, valid, and saying what each part is for. */
export const startingBlueprint = `# What it is made of: debian, ubuntu, node or python, pinned by its digest.
base: debian:12-slim@sha256:d5d3f9c23164ea16f31852f95bd5959aad1c5e854332fe00f7b3a20fcc9f635c

# Run once, in this order, when the image is built.
initialize:
  - name: A folder to work in
    run: mkdir -p /work

# Told to whoever works on the computer; never run by Fettle.
maintenance: []
knowledge:
  - name: Where things are
    contents: Keep your files in /work.
`;
