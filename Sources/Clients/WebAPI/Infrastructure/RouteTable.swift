/// Everything that can be asked for; the page to open first.
///
/// A resource is an enum in `Resources` and a line here; `openapi.json` describes the same routes, and a test compares
/// the two.
enum RouteTable {
    /// The routes; no two match the same request.
    static let routes: [Route] = [
        StatusResource.routes,
        PlayerResource.routes,
        TransferResource.routes,
        QueueResource.routes,
        QueueEditResource.routes,
        AlbumsResource.routes,
        ArtistsResource.routes,
        SimilarArtistsResource.routes,
        SongsResource.routes,
        GenresResource.routes,
        DecadesResource.routes,
        PlaylistsResource.routes + PlaylistEdits.routes,
        MixesResource.routes,
        StationsResource.routes,
        FoldersResource.routes,
        SearchResource.routes,
        LyricsResource.routes,
        MarksResource.routes,
        WishesResource.routes,
        OutputsResource.routes,
        PartitionsResource.routes,
        RequestsResource.routes,
        SessionResource.routes,
        SettingsResource.routes,
        PictureResource.routes,
        OutsidePicturesResource.routes,
        ListenResource.routes,
        CommandsResource.routes,
        SocketResource.routes,
        PairingResource.routes,
        QRCodeResource.routes,
        OpenAPIResource.routes,
        MetricsResource.routes,
        HealthResource.routes,
    ].flatMap { $0 }
}
