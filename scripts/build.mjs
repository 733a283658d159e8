// Builds what people run: the web app, then the bundled command. Filled in by the packages that have something to build.
